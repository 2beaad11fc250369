// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace headroom::rehearsal {

/// Where an attribute of a descriptor lies in it.
struct AttributePlace {
    int attribute;
    std::size_t offset;
    std::size_t bytes;
};

inline const AttributePlace* placeOf(std::span<const AttributePlace> places, int attribute)
{
    for (const AttributePlace& place : places)
        if (place.attribute == attribute)
            return &place;
    return nullptr;
}

// Places of members, and of elements of members that are arrays.
#define HEADROOM_PLACE(NUMBER, TYPE, MEMBER) {NUMBER, offsetof(TYPE, MEMBER), sizeof(TYPE::MEMBER)}
#define HEADROOM_PLACE_IN(NUMBER, TYPE, MEMBER, INDEX)                                                                 \
    {NUMBER, offsetof(TYPE, MEMBER) + (INDEX) * sizeof(TYPE::MEMBER[0]), sizeof(TYPE::MEMBER[0])}

/// False where there is no such attribute or the value is of another size.
inline bool setAttribute(
    std::span<const AttributePlace> places, void* object, int attribute, const void* value, std::size_t bytes)
{
    const AttributePlace* place = placeOf(places, attribute);
    if (object == nullptr || value == nullptr || place == nullptr || bytes != place->bytes)
        return false;
    std::memcpy(static_cast<char*>(object) + place->offset, value, bytes);
    return true;
}

/// As cuBLASLt reads attributes: with `bytes` 0 only the needed size is told.
inline bool getAttribute(std::span<const AttributePlace> places, const void* object, int attribute, void* value,
    std::size_t bytes, std::size_t* written)
{
    const AttributePlace* place = placeOf(places, attribute);
    if (object == nullptr || place == nullptr || (bytes == 0 && written == nullptr)
        || (bytes != 0 && (value == nullptr || bytes < place->bytes)))
        return false;
    if (written != nullptr)
        *written = place->bytes;
    if (bytes != 0)
        std::memcpy(value, static_cast<const char*>(object) + place->offset, place->bytes);
    return true;
}

/// Attributes by number, each of at most eight bytes.
struct AttributeValues {
    static constexpr int kMost = 16;
    unsigned char sizes[kMost] = {};
    char values[kMost][8] = {};

    bool set(int attribute, const void* value, std::size_t bytes)
    {
        if (attribute < 0 || attribute >= kMost || value == nullptr || bytes == 0 || bytes > sizeof(values[0]))
            return false;
        std::memcpy(values[attribute], value, bytes);
        sizes[attribute] = static_cast<unsigned char>(bytes);
        return true;
    }

    /// What was never set is zero.
    bool get(int attribute, void* value, std::size_t bytes) const
    {
        if (attribute < 0 || attribute >= kMost || value == nullptr || bytes == 0 || bytes > sizeof(values[0]))
            return false;
        std::memcpy(value, values[attribute], bytes);
        return true;
    }
};

} // namespace headroom::rehearsal
