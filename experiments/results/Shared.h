// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

namespace headroom::experiments {

/// A value that many have alike: copies share it, so that the settings of ten thousand trials take the room of those
/// that differ. It reads as a `const T`; who changes it by edit() gets one of his own.
template <typename T> class Shared {
public:
    Shared()
        : m_value(usual())
    {
    }
    Shared(T value)
        : m_value(std::make_shared<T>(std::move(value)))
    {
    }

    operator const T&() const { return *m_value; }
    const T& operator*() const { return *m_value; }
    const T* operator->() const { return m_value.get(); }
    auto begin() const { return (**this).begin(); }
    auto end() const { return (**this).end(); }
    auto size() const { return (**this).size(); }
    auto empty() const { return (**this).empty(); }

    T& edit()
    {
        if (m_value.use_count() > 1)
            m_value = std::make_shared<T>(*m_value);
        return *m_value;
    }

    bool sharesWith(const Shared& other) const { return m_value == other.m_value; }
    bool operator==(const Shared& other) const { return sharesWith(other) || *m_value == *other.m_value; }

private:
    static const std::shared_ptr<T>& usual()
    {
        static const auto value = std::make_shared<T>();
        return value;
    }

    std::shared_ptr<T> m_value;
};

} // namespace headroom::experiments
