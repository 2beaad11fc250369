// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace headroom::experiments {

/// One end of a pipe; closed when it goes. Not inherited by programs that are started.
class PipeEnd {
public:
    PipeEnd() = default;
    explicit PipeEnd(int descriptor)
        : m_descriptor(descriptor)
    {
    }
    ~PipeEnd() { close(); }
    PipeEnd(PipeEnd&& other) noexcept;
    PipeEnd& operator=(PipeEnd&& other) noexcept;

    int descriptor() const { return m_descriptor; }
    bool isOpen() const { return m_descriptor >= 0; }
    void close();

    enum class Read { Data, Nothing, End };
    /// Appends what can be read now, at most 64 KiB; the end must be non-blocking.
    Read readInto(std::string& text);

    enum class Written { All, NoReader };
    /// Writes all of it, without SIGPIPE when nobody reads any more.
    Written write(std::string_view text);

private:
    int m_descriptor = -1;
};

struct Pipe {
    PipeEnd source;
    PipeEnd sink;
};

/// Whether reading waits for data.
enum class Blocking { Yes, No };

/// Throws FileError where the system has no more descriptors.
Pipe makePipe(Blocking reading);

} // namespace headroom::experiments
