// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Error.h"

namespace headroom::store {

/// A file that was opened but cannot be written any more: the writer must stop and keep its data elsewhere.
class UnusableFileError : public FileError {
public:
    using FileError::FileError;
};

/// A database of ours is damaged: SQLite reads impossible contents. No operation on the file can mend it, so the writer
/// stops at once. WorkspaceCheck finds what is still readable, and WorkspaceRepair saves it.
class DamagedFileError : public UnusableFileError {
public:
    using UnusableFileError::UnusableFileError;
};

/// The file that a connection has open no longer has its name: it was deleted, moved or replaced. Nothing was written.
/// What was stored before can still be read through the open connection.
class DisplacedFileError : public UnusableFileError {
public:
    using UnusableFileError::UnusableFileError;
};

/// The disk is full; nothing was saved.
class FullDiskError : public UnusableFileError {
public:
    using UnusableFileError::UnusableFileError;
};

/// The file is of an older version and was opened for reading only; opening it for writing migrates it.
class OlderVersionError : public FileError {
public:
    using FileError::FileError;
};

} // namespace headroom::store
