// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/store/SqliteFile.h"
#include "profiling/store/workspace/RepeatImport.h"

#include <optional>

namespace headroom::store {

/// Writes one repeat with everything that belongs to it, inside the caller's transaction: completely or not at all.
class RepeatImporter {
public:
    explicit RepeatImporter(SqliteFile& file)
        : m_file(file)
    {
    }

    /// Throws FileError if the workspace cannot be written or has no such trial.
    ImportResult import(const RepeatImport& source);

private:
    struct Earlier {
        std::int64_t id = 0;
        Outcome outcome = Outcome::Completed;
    };

    std::optional<Earlier> findEarlier(const RepeatRow& row);
    std::int64_t insertRepeat(const RepeatRow& row);
    void insertSamples(std::int64_t repeat, const std::vector<SampleRow>& samples);
    void insertPhases(std::int64_t repeat, const std::vector<trace::PhaseSpan>& phases, std::int64_t ordinal);
    void insertDiagnostics(const RepeatImport& source, std::int64_t repeat, const std::vector<DiagnosticRow>& rows);
    void insertTrace(ImportResult& result, const RepeatImport& source);
    void insertRecords(std::int64_t repeat, const RepeatImport& source);
    void insertTracks(ImportResult& result, const RepeatImport& source);
    /// Returns whether the spool held records of the driver or the host.
    bool insertSpool(ImportResult& result, const RepeatImport& source);
    void updateTrial(std::int64_t trial);

    SqliteFile& m_file;
    std::int64_t m_experiment = 0;
};

/// Adds a row unchanged, in the caller's transaction.
std::int64_t insertDiagnostic(SqliteFile& file, const DiagnosticRow& row);

} // namespace headroom::store
