// SPDX-License-Identifier: Apache-2.0
#include "core/weights/Safetensors.h"

#include "tests/support/Refusal.h"
#include "tests/support/TemporaryFolder.h"
#include "tests/support/TextFiles.h"

#include <gmock/gmock.h>

#include <fstream>
#include <random>

namespace headroom::tensor {
namespace {

const c10::ScalarType kTypes[]{at::kFloat, at::kHalf, at::kBFloat16, at::kFloat8_e4m3fn, at::kFloat8_e5m2, at::kDouble,
    at::kLong, at::kInt, at::kShort, at::kChar, at::kByte, at::kBool};

// A file with this header and this many bytes of data; `length` as it is written where it is not the header's.
std::filesystem::path fileOf(const TemporaryFolder& folder, const std::string& header, std::size_t dataBytes,
    std::optional<std::uint64_t> length = {})
{
    const std::filesystem::path path = folder.path() / "file.safetensors";
    std::ofstream file(path, std::ios::binary);
    const std::uint64_t written = length.value_or(header.size());
    for (int i = 0; i < 8; ++i)
        file.put(static_cast<char>(written >> (8 * i) & 0xFF));
    file << header << std::string(dataBytes, 'x');
    return path;
}

std::string objection(const std::string& header, std::size_t dataBytes)
{
    const TemporaryFolder folder;
    const std::filesystem::path path = fileOf(folder, header, dataBytes);
    const std::string message = refusal<FileError>([&] { SafetensorsReader{path}; });
    EXPECT_TRUE(message.starts_with(path.string() + ": ")) << message;
    return message.substr(std::min(message.size(), path.string().size() + 2));
}

std::string entry(const char* dtype, const char* shape, const char* offsets)
{
    return std::string(R"({"dtype":")") + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

TEST(SafetensorsTest, everyDtypeComesBackBitByBit)
{
    const TemporaryFolder folder;
    at::manual_seed(3);
    NamedTensors tensors;
    for (const c10::ScalarType type : kTypes)
        for (const auto& shape : std::vector<std::vector<std::int64_t>>{{}, {0}, {3, 0, 2}, {5}, {3, 7}, {2, 3, 4, 5}})
            tensors.emplace_back("t." + std::to_string(tensors.size()), at::randn(shape).mul(9).to(type));
    writeSafetensors(folder.path() / "all.safetensors", tensors, {{"format", "pt"}});
    const SafetensorsReader reader(folder.path() / "all.safetensors");
    EXPECT_EQ(reader.header().tensors.size(), tensors.size());
    EXPECT_EQ(reader.header().metadata, (std::map<std::string, std::string>{{"format", "pt"}}));
    for (const auto& [name, tensor] : tensors) {
        const at::Tensor read = reader.read(name);
        EXPECT_EQ(read.scalar_type(), tensor.scalar_type()) << name;
        EXPECT_EQ(read.sizes(), tensor.sizes()) << name;
        EXPECT_TRUE(at::equal(read.reshape({-1}).view(at::kByte), tensor.reshape({-1}).view(at::kByte))) << name;
    }
}

// The format, byte by byte.
TEST(SafetensorsTest, theFileIsTheFormats)
{
    const TemporaryFolder folder;
    writeSafetensors(folder.path() / "a", {{"b", at::tensor({1.0F, -2.0F})}, {"a", at::tensor({7}, at::kLong)}});
    const std::string bytes = contentOf(folder.path() / "a");
    const std::string header = R"({"a":{"data_offsets":[0,8],"dtype":"I64","shape":[1]},)"
                               R"("b":{"data_offsets":[8,16],"dtype":"F32","shape":[2]}})";
    const std::size_t padded = (header.size() + 7) / 8 * 8;
    ASSERT_EQ(bytes.size(), 8 + padded + 16);
    EXPECT_EQ(bytes.substr(0, 8), std::string(1, static_cast<char>(padded)) + std::string(7, '\0'));
    EXPECT_EQ(bytes.substr(8, padded), header + std::string(padded - header.size(), ' '));
    EXPECT_EQ(bytes.substr(8 + padded), std::string("\7\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\0\xc0", 16));
}

TEST(SafetensorsTest, tensorsThatAreViewsAreWrittenAsWhatTheyShow)
{
    const TemporaryFolder folder;
    const at::Tensor whole = at::arange(12, at::kFloat).view({3, 4});
    writeSafetensors(folder.path() / "a", {{"t", whole.t()}, {"part", whole.narrow(1, 1, 2)}});
    const SafetensorsReader reader(folder.path() / "a");
    EXPECT_TRUE(at::equal(reader.read("t"), whole.t()));
    EXPECT_TRUE(at::equal(reader.read("part"), whole.narrow(1, 1, 2)));
}

TEST(SafetensorsTest, aFileIsReplacedAsAWholeOrNotAtAll)
{
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "a";
    writeSafetensors(path, {{"t", at::zeros({3})}});
    EXPECT_EQ(refusal([&] { writeSafetensors(path, {{"t", at::zeros({3})}, {"t", at::ones({3})}}); }),
        "safetensors: two tensors are named \"t\" (valid: names that differ)");
    EXPECT_EQ(refusal([&] { writeSafetensors(path, {{"c", at::zeros({1}, at::kComplexFloat)}}); }),
        "safetensors: tensor \"c\" is of ComplexFloat, which a safetensors file has no word for (valid: float64, "
        "float32, float16, bfloat16, float8 e4m3fn and e5m2, int64, int32, int16, int8, uint8, bool)");
    EXPECT_EQ(refusal([&] { writeSafetensors(path, {{"m", at::empty({1}, at::kMeta)}}); }),
        "safetensors: tensor \"m\" is simulated and has no bytes (valid: a device that runs)");
    EXPECT_TRUE(at::equal(SafetensorsReader(path).read("t"), at::zeros({3})));
    EXPECT_EQ(folder.names(), std::vector<std::string>{"a"});
    const std::filesystem::path nowhere = folder.path() / "no" / "a";
    EXPECT_EQ(refusal<FileError>([&] { writeSafetensors(nowhere, {}); }),
        nowhere.string()
            + ": file cannot be written: No such file or directory (valid: a file in a folder that exists and may be "
              "written, on a disk with free space)");
}

TEST(SafetensorsTest, filesThatEndTooSoonAreRefused)
{
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "a";
    writeSafetensors(path, {{"t", at::zeros({300})}, {"u", at::zeros({5}, at::kHalf)}});
    const auto size = std::filesystem::file_size(path);
    for (std::uintmax_t length = 0; length < size; length += length < 200 ? 1 : 97) {
        std::filesystem::copy_file(path, folder.path() / "b", std::filesystem::copy_options::overwrite_existing);
        std::filesystem::resize_file(folder.path() / "b", length);
        EXPECT_THROW(SafetensorsReader(folder.path() / "b"), FileError) << length;
    }
    EXPECT_THROW(SafetensorsReader(folder.path() / "none"), FileError);
    EXPECT_THROW(SafetensorsReader(folder.path()), FileError);
}

TEST(SafetensorsTest, absurdHeaderLengthsAreRefusedWithoutTakingMemory)
{
    for (const std::uint64_t length : {std::uint64_t{3}, std::uint64_t{100'000'001}, std::uint64_t{1} << 40,
             std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
        const TemporaryFolder folder;
        const std::filesystem::path path = fileOf(folder, "{}", 0, length);
        EXPECT_EQ(refusal<FileError>([&] { SafetensorsReader{path}; }),
            path.string()
                + ": is truncated or no safetensors file: its header does not end within it (valid: a header of at "
                  "most "
                  "2 bytes)");
    }
}

TEST(SafetensorsTest, headersThatSayImpossibleThingsAreRefused)
{
    EXPECT_EQ(objection("", 0), "the header is no JSON");
    EXPECT_EQ(objection("{\"a\":", 0), "the header is no JSON");
    EXPECT_EQ(objection("[]", 0), "the header is no JSON object");
    EXPECT_EQ(objection(R"({"__metadata__":3})", 0), "__metadata__ is no object (valid: texts by name)");
    EXPECT_EQ(objection(R"({"__metadata__":{"a":1}})", 0), "__metadata__.a is no text (valid: texts by name)");
    const auto of = [](const std::string& value, std::size_t bytes) {
        return objection("{\"a\":" + value + "}", bytes);
    };
    const std::string a = "tensor \"a\": ";
    EXPECT_EQ(of("3", 0), a + "its entry is not complete (valid: an object of dtype, shape and data_offsets)");
    EXPECT_EQ(of(R"({"dtype":"F32","shape":[1]})", 4),
        a + "its entry is not complete (valid: an object of dtype, shape and data_offsets)");
    EXPECT_EQ(of(entry("F33", "[1]", "[0,4]"), 4),
        a + "unknown dtype \"F33\" (valid: BF16, BOOL, F16, F32, F64, F8_E4M3, F8_E5M2, I16, I32, I64, I8, U8)");
    EXPECT_EQ(
        of(entry("F32", "[-1]", "[0,4]"), 4), a + "found -1 in its shape or data_offsets (valid: integers from 0)");
    EXPECT_EQ(
        of(entry("F32", "[1.5]", "[0,4]"), 4), a + "found 1.5 in its shape or data_offsets (valid: integers from 0)");
    EXPECT_EQ(of(entry("F32", "3", "[0,4]"), 4), a + "shape and data_offsets have to be lists");
    EXPECT_EQ(of(entry("F32", "[1]", "[0,8]"), 4),
        a + "its data_offsets do not lie in the file (valid: begin and end in ascending order, up to 4)");
    EXPECT_EQ(of(entry("F32", "[1]", "[4,0]"), 4),
        a + "its data_offsets do not lie in the file (valid: begin and end in ascending order, up to 4)");
    EXPECT_EQ(of(entry("F32", "[1]", "[0]"), 4),
        a + "its data_offsets do not lie in the file (valid: begin and end in ascending order, up to 4)");
    EXPECT_EQ(of(entry("F32", "[2]", "[0,4]"), 4), a + "its data are 4 bytes, its shape and dtype need 8");
    EXPECT_EQ(of(entry("F32", "[4611686018427387904,4]", "[0,4]"), 4), a + "its shape is too large for any file");
    EXPECT_EQ(of(entry("U8", "[0,4611686018427387904,4]", "[0,0]"), 0), a + "its shape is too large for any file");
    EXPECT_EQ(of(entry("F32", "[1]", "[0,4]"), 5), "1 bytes at its end belong to no tensor");
}

TEST(SafetensorsTest, tensorsCoverEachByteOnce)
{
    const auto two = [](const char* first, const char* second, std::size_t bytes) {
        return objection("{\"a\":" + entry("U8", "[4]", first) + ",\"b\":" + entry("U8", "[4]", second) + "}", bytes);
    };
    EXPECT_EQ(two("[0,4]", "[2,6]", 6), "tensor \"b\": its data overlap those of another tensor");
    EXPECT_EQ(two("[0,4]", "[0,4]", 4), "tensor \"b\": its data overlap those of another tensor");
    EXPECT_EQ(two("[0,4]", "[5,9]", 9), "tensor \"b\": there are bytes before its data that belong to no tensor");
    EXPECT_EQ(objection("{\"a\":" + entry("U8", "[1]", "[0,1]") + ",\"a\":" + entry("U8", "[1]", "[0,1]") + "}", 1),
        "tensor \"a\": stands twice in the header");
}

TEST(SafetensorsTest, whatIsNestedDeeperThanAHeaderIsRefusedWhereItBegins)
{
    const std::string deep(20'000'000, '[');
    EXPECT_EQ(objection(deep, 0), "the header is no JSON object");
    EXPECT_EQ(objection("{\"a\":" + deep, 0),
        "tensor \"a\": its entry is not complete (valid: an object of dtype, shape and data_offsets)");
    EXPECT_EQ(objection(R"({"a":{"shape":)" + deep, 0),
        "tensor \"a\": found a list in its shape or data_offsets (valid: integers from 0)");
    EXPECT_EQ(objection(R"({"__metadata__":{"b":)" + deep, 0), "__metadata__.b is no text (valid: texts by name)");
    std::string zeros = "[0";
    for (int i = 0; i < 70; ++i)
        zeros += ",0";
    EXPECT_EQ(objection("{\"a\":" + entry("U8", (zeros + "]").c_str(), "[0,0]") + "}", 0),
        "tensor \"a\": its shape or data_offsets have more than 64 entries");
}

TEST(SafetensorsTest, keysThatStandTwiceAreRefusedOnEveryLevel)
{
    EXPECT_EQ(objection(R"({"a":{"dtype":"U8","dtype":"F32","shape":[1],"data_offsets":[0,1]}})", 1),
        "tensor \"a\": its entry has dtype twice");
    EXPECT_EQ(objection(R"({"__metadata__":{"k":"1","k":"2"}})", 0), "__metadata__.k stands twice in the header");
    EXPECT_EQ(objection(R"({"__metadata__":{},"__metadata__":{}})", 0),
        "tensor \"__metadata__\": stands twice in the header");
}

TEST(SafetensorsTest, aVeryLongNameIsCutInMessages)
{
    const std::string name(100'000, 'n');
    EXPECT_EQ(objection("{\"" + name + "\":3}", 0).size(),
        objection(R"({"n":3})", 0).size() - 1 + std::string("...").size() + 200);
}

TEST(SafetensorsTest, aViewIsTheFilesOwnBytesAndTakesNoMemory)
{
    const TemporaryFolder folder;
    const at::Tensor values = at::arange(2000, at::kFloat).view({2, 1000});
    writeSafetensors(folder.path() / "a", {{"t", values}, {"flags", at::arange(2) == 0}, {"none", at::empty({0, 3})}});
    at::Tensor view;
    {
        const SafetensorsReader reader(folder.path() / "a");
        view = reader.view("t");
        EXPECT_EQ(reader.view("none").sizes(), (std::vector<std::int64_t>{0, 3}));
        EXPECT_TRUE(at::equal(reader.view("flags"), at::arange(2) == 0));
        view[0][0] = 5.0F; // of this process alone
        EXPECT_EQ(reader.read("t")[0][0].item<float>(), 0.0F);
    }
    view[0][0] = 0.0F;
    EXPECT_TRUE(at::equal(view, values)) << "it outlives the reader";
}

// A header whose length is no multiple of 8: elements at odd addresses, and bools that are neither 0 nor 1.
TEST(SafetensorsTest, dataAtOddAddressesAndOddBoolsAreRead)
{
    const TemporaryFolder folder;
    const auto path =
        fileOf(folder, "{\"f\":" + entry("F64", "[2]", "[1,17]") + ",\"b\":" + entry("BOOL", "[1]", "[0,1]") + "}", 17);
    const SafetensorsReader reader(path);
    EXPECT_TRUE(reader.view("b").item<bool>());
    EXPECT_TRUE(at::equal(reader.view("f").view(at::kByte), at::full({16}, int{'x'}, at::kByte)));
}

TEST(SafetensorsTest, aFileThatIsCutLaterIsAnErrorAndNoCrash)
{
    const TemporaryFolder folder;
    writeSafetensors(folder.path() / "a", {{"t", at::zeros({100'000})}});
    const SafetensorsReader reader(folder.path() / "a");
    std::filesystem::resize_file(folder.path() / "a", 5000);
    EXPECT_EQ(refusal<FileError>([&] { reader.view("t"); }),
        (folder.path() / "a").string() + ": has become shorter since it was opened");
}

TEST(SafetensorsTest, whatIsNoRegularFileIsRefused)
{
    EXPECT_EQ(refusal<FileError>([&] { SafetensorsReader{"/dev/zero"}; }),
        "/dev/zero: is no file that can be read (valid: a regular file)");
}

// Whatever stands in the bytes, reading ends with a FileError or with tensors that lie in the file.
TEST(SafetensorsTest, randomDamageIsRefusedOrHarmless)
{
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "a";
    writeSafetensors(path, {{"first", at::randn({6, 3})}, {"second", at::zeros({5}, at::kHalf)}});
    const std::string bytes = contentOf(path);
    std::mt19937 random(29);
    for (int i = 0; i < 300; ++i) {
        std::string damaged = bytes;
        for (unsigned j = 0; j <= random() % 3; ++j)
            damaged[random() % damaged.size()] = static_cast<char>(random());
        writeText(folder.path() / "b", damaged);
        try {
            const SafetensorsReader reader(folder.path() / "b");
            for (const auto& [name, entry] : reader.header().tensors)
                EXPECT_EQ(static_cast<Bytes>(reader.read(name).nbytes()), entry.end - entry.begin);
        } catch (const FileError&) {
            continue;
        }
    }
}

TEST(SafetensorsTest, aNameThatIsNotThereIsRefused)
{
    const TemporaryFolder folder;
    writeSafetensors(folder.path() / "a", {{"t", at::zeros({3})}});
    EXPECT_EQ(refusal<FileError>([&] { SafetensorsReader(folder.path() / "a").read("u"); }),
        (folder.path() / "a").string() + ": has no tensor \"u\"");
}

} // namespace
} // namespace headroom::tensor
