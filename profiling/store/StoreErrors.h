// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/Error.h"

namespace headroom::store {

/// A file that cannot take any more, although it was opened: whoever writes stops, and keeps what it has elsewhere.
class UnusableFileError : public FileError {
public:
    using FileError::FileError;
};

/// A database of ours is damaged: what SQLite reads of it cannot be. Nothing that is done with the file mends it, so
/// whoever writes stops at once. What can be read of it is found by WorkspaceCheck and saved by WorkspaceRepair.
class DamagedFileError : public UnusableFileError {
public:
    using UnusableFileError::UnusableFileError;
};

/// The file that a connection has open is not the one that has its name any more: it was deleted, moved or replaced.
/// Nothing was written. What was stored before can still be read through the open connection.
class DisplacedFileError : public UnusableFileError {
public:
    using UnusableFileError::UnusableFileError;
};

/// There is no room left on the disk; nothing was saved.
class FullDiskError : public UnusableFileError {
public:
    using UnusableFileError::UnusableFileError;
};

/// The file is of an older version and was opened for reading only: opening it for writing brings it up to date.
class OlderVersionError : public FileError {
public:
    using FileError::FileError;
};

} // namespace headroom::store
