// SPDX-License-Identifier: Apache-2.0
//
// Operators that an archive may run, with arguments made to break them: whether one reads or writes beside its tensors.
// Each tensor lies between pages that cannot be touched. Run it by hand when LibTorch changes
// (--gtest_also_run_disabled_tests): it takes minutes, and what it finds is LibTorch's.
#include "core/config/imported/KnownOperators.h"
#include "core/models/imported/ArgumentChecks.h"

#include <ATen/Parallel.h>
#include <c10/core/CPUAllocator.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <limits>
#include <random>

namespace headroom::models::hostile_arguments_test {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kMostBytes = 64U << 20;
constexpr int kTries = 400;
constexpr unsigned int kMostSeconds = 60;

struct Mapping {
    void* begin;
    std::size_t bytes;
};

void unmap(void* context)
{
    const auto* mapping = static_cast<Mapping*>(context);
    ::munmap(mapping->begin, mapping->bytes);
    delete mapping;
}

/// Tensors end where a page begins that cannot be read.
class GuardedAllocator final : public c10::Allocator {
public:
    c10::DataPtr allocate(std::size_t bytes) override
    {
        TORCH_CHECK(bytes < kMostBytes, "more than a hostile tensor needs");
        const std::size_t inner = (bytes + kPage - 1) / kPage * kPage;
        const std::size_t whole = inner + 2 * kPage;
        void* const begin = ::mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        TORCH_CHECK(begin != MAP_FAILED, "no memory");
        char* const page = static_cast<char*>(begin) + kPage;
        ::mprotect(page, inner, PROT_READ | PROT_WRITE);
        constexpr std::size_t kAlignment = 16;
        char* const data = page + (inner - bytes) / kAlignment * kAlignment;
        return {data, new Mapping{begin, whole}, &unmap, c10::Device(c10::kCPU)};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &unmap; }
    void copy_data(void* to, const void* from, std::size_t bytes) const override { default_copy_data(to, from, bytes); }
};

/// An argument of a type that is not drawn: a generator, a list of them.
struct NotDrawn { };

/// Arguments whose shapes mostly fit each other, or no operator would get beyond its checks.
class HostileDraw {
public:
    explicit HostileDraw(std::uint64_t seed)
        : m_random(seed)
        , m_type(isIn(75) ? at::kFloat : anyType())
    {
        const auto shape = anyShape(draw(6));
        m_shapes = {shape, shape, shape, anyShape(1), anyShape(draw(5))};
        if (!shape.empty()) {
            m_shapes[1][draw(shape.size())] = 1 + static_cast<std::int64_t>(draw(6));
            m_shapes[2].erase(m_shapes[2].begin() + static_cast<std::ptrdiff_t>(draw(shape.size())));
        }
    }

    c10::IValue valueOf(const c10::Argument& argument)
    {
        if (argument.default_value() && isIn(35))
            return *argument.default_value();
        return value(*argument.real_type(), argument.name());
    }

private:
    std::size_t draw(std::size_t count) { return count == 0 ? 0 : m_random() % count; }
    bool isIn(std::size_t percent) { return draw(100) < percent; }

    at::ScalarType anyType()
    {
        constexpr std::array kTypes{at::kFloat, at::kDouble, at::kLong, at::kInt, at::kBool, at::kHalf, at::kBFloat16,
            at::kComplexFloat, at::kByte};
        return kTypes[draw(kTypes.size())];
    }

    std::vector<std::int64_t> anyShape(std::size_t dimensions)
    {
        std::vector<std::int64_t> shape;
        for (std::size_t i = 0; i < dimensions; ++i)
            shape.push_back(isIn(6) ? 0 : 1 + static_cast<std::int64_t>(draw(6)));
        return shape;
    }

    std::int64_t integer(std::size_t hostility)
    {
        if (!isIn(hostility))
            return isIn(20) ? -1 - static_cast<std::int64_t>(draw(2)) : static_cast<std::int64_t>(draw(5));
        const std::array<std::int64_t, 7> kHostile{-1, 0, -4, 100'000, std::numeric_limits<std::int64_t>::max(),
            std::numeric_limits<std::int64_t>::min(), static_cast<std::int64_t>(m_random())};
        return kHostile[draw(kHostile.size())];
    }

    double real()
    {
        constexpr std::array kHostile{
            std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e30, -1e30};
        return isIn(5) ? kHostile[draw(kHostile.size())] : (static_cast<double>(draw(300)) - 100) / 100;
    }

    at::Tensor tensor(bool isIndex)
    {
        const auto& shape = isIn(55) ? m_shapes.front() : m_shapes[draw(m_shapes.size())];
        const at::ScalarType type = isIndex ? at::kLong : isIn(85) ? m_type : anyType();
        const std::size_t hostility = std::array<std::size_t, 3>{0, 15, 100}[draw(3)];
        at::Tensor whole = at::empty(shape, at::isIntegralType(type, false) ? at::kLong : at::kDouble);
        for (std::int64_t i = 0; i < whole.numel(); ++i)
            if (whole.scalar_type() == at::kLong)
                whole.mutable_data_ptr<std::int64_t>()[i] = integer(hostility);
            else
                whole.mutable_data_ptr<double>()[i] = real();
        whole = whole.to(type);
        return isIn(15) && whole.dim() > 1 ? whole.transpose(0, -1) : whole;
    }

    std::string text()
    {
        constexpr std::array kTexts{"sum", "prod", "mean", "amax", "amin", "none", "tanh", "reflect", "constant",
            "replicate", "circular", "same", "valid", "left", "right", "ij", "xy", "fro", "nuc", "L", "U", "reduced",
            "complete", "linear", "floor", "trunc", "ij,jk->ik", "i,i->", "ii->i"};
        return kTexts[draw(kTexts.size())];
    }

    c10::IValue value(const c10::Type& type, const std::string& name)
    {
        using c10::TypeKind;
        constexpr std::array kIndices{"index", "indices", "target", "targets", "offsets", "sorter", "repeats"};
        switch (type.kind()) {
        case TypeKind::OptionalType:
            return isIn(35) ? c10::IValue() : value(*type.castRaw<c10::OptionalType>()->getElementType(), name);
        case TypeKind::TensorType:
            return tensor(isIn(std::ranges::count(kIndices, name) > 0 ? 90 : 5));
        case TypeKind::ScalarTypeType:
            return static_cast<std::int64_t>(anyType());
        case TypeKind::LayoutType:
            return static_cast<std::int64_t>(at::kStrided);
        case TypeKind::MemoryFormatType:
            return static_cast<std::int64_t>(draw(4));
        case TypeKind::DeviceObjType:
            return c10::Device(c10::kCPU);
        case TypeKind::IntType:
        case TypeKind::SymIntType:
            return integer(4);
        case TypeKind::FloatType:
            return real();
        case TypeKind::NumberType:
            return isIn(50) ? c10::IValue(integer(4)) : c10::IValue(real());
        case TypeKind::BoolType:
            return isIn(50);
        case TypeKind::StringType:
            return text();
        case TypeKind::ListType:
            return list(*type.castRaw<c10::ListType>()->getElementType());
        default:
            throw NotDrawn();
        }
    }

    c10::IValue list(const c10::Type& element)
    {
        using c10::TypeKind;
        const std::size_t length = draw(5);
        std::vector<std::int64_t> integers = isIn(40) ? m_shapes[draw(m_shapes.size())] : std::vector<std::int64_t>();
        c10::List<at::Tensor> tensors;
        c10::List<std::optional<at::Tensor>> optional;
        c10::List<bool> flags;
        std::vector<double> reals;
        for (std::size_t i = 0; i < length; ++i) {
            integers.push_back(integer(4));
            reals.push_back(real());
            flags.push_back(isIn(50));
            tensors.push_back(tensor(isIn(10)));
            optional.push_back(isIn(30) ? std::nullopt : std::optional(tensor(true)));
        }
        switch (element.kind()) {
        case TypeKind::IntType:
        case TypeKind::SymIntType:
            return integers;
        case TypeKind::FloatType:
            return reals;
        case TypeKind::BoolType:
            return flags;
        case TypeKind::TensorType:
            return tensors;
        case TypeKind::OptionalType:
            return optional;
        default:
            throw NotDrawn();
        }
    }

    std::mt19937_64 m_random;
    at::ScalarType m_type; ///< of most tensors
    std::vector<std::vector<std::int64_t>> m_shapes;
};

void tryOnce(const c10::OperatorHandle& op, std::uint64_t seed)
{
    HostileDraw draw(seed);
    const archive::Node nowhere{};
    torch::jit::Stack stack;
    for (const c10::Argument& argument : op.schema().arguments()) {
        ProgramArgument drawn;
        drawn.constant = draw.valueOf(argument);
        requireWholeList(drawn, argument, nowhere);
        stack.push_back(std::move(drawn.constant));
    }
    if (const ArgumentCheck check = argumentCheckOf(op.schema()))
        check(stack);
    op.callBoxed(stack);
    for (const c10::IValue& result : stack)
        if (result.isTensor() && result.toTensor().defined())
            result.toTensor().clone();
}

[[noreturn]] void tryInThisProcess(const c10::OperatorHandle& op)
{
    ::alarm(kMostSeconds);
    for (int seed = 0; seed < kTries; ++seed)
        try {
            tryOnce(op, static_cast<std::uint64_t>(seed));
        } catch (const NotDrawn&) {
            break;
        } catch (const std::exception&) { // refused, as it should be
        }
    ::_exit(0);
}

/// The signal that ended the process in which the operator was tried; 0: none did.
int signalOf(const c10::OperatorHandle& op)
{
    const pid_t child = ::fork();
    if (child == 0)
        tryInThisProcess(op);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

// They end their process, which is a failed trial, and models need them. What takes too long is ended by SIGALRM.
TEST(HostileArgumentsTest, DISABLED_knownOperatorsStayWithinTheirTensors)
{
    static GuardedAllocator guarded;
    constexpr std::uint8_t kAboveOthers = 100;
    c10::SetAllocator(c10::kCPU, &guarded, kAboveOthers);
    at::set_num_threads(1);
    std::set<std::string> touching;
    for (const std::string& known : config::knownOperators()) {
        const std::size_t dot = known.find('.');
        const auto op = c10::Dispatcher::singleton().findSchema(
            {"aten::" + known.substr(0, dot), dot == std::string::npos ? "" : known.substr(dot + 1)});
        ASSERT_TRUE(op) << known;
        if (const int signal = signalOf(*op); signal == SIGSEGV || signal == SIGBUS || signal == SIGABRT)
            touching.insert(known);
    }
    EXPECT_THAT(touching, testing::IsSubsetOf({"lstm.input"}));
}

} // namespace
} // namespace headroom::models::hostile_arguments_test
