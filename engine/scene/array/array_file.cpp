#include "core/element_numbers.hpp"
#include "scene/array/npy_header.hpp"
#include "scene/array/number_text.hpp"
#include "scene/files.hpp"

#include <tuff/array.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <string>
#include <utility>

namespace tuff {
namespace {

constexpr std::string_view kDomain = "array";
constexpr std::uint64_t kMaxFile = std::uint64_t{1} << 31;

/// What numbers a shape has; nothing where that overflows.
std::optional<std::uint64_t> count_of(std::span<const std::uint64_t> shape) {
    std::uint64_t count = 1;
    for (const std::uint64_t side : shape)
        if (__builtin_mul_overflow(count, side, &count)) return std::nullopt;
    return count;
}

/// The array with the shape that was asked for, if one was.
Result<HostArray> shaped(HostArray array, const std::vector<std::uint64_t>& shape,
                         const std::string& name) {
    const std::uint64_t count = array.bytes.size() / element_bytes(array.type);
    if (count == 0) return fail("array/empty", fmt::format("{} holds no numbers", name));
    if (shape.empty()) return array;
    if (count_of(shape) != count)
        return fail("array/wrong-shape",
                    fmt::format("{} holds {} numbers ({}), which are not of shape [{}]", name,
                                count, fmt::join(array.shape, " x "), fmt::join(shape, ", ")));
    array.shape = shape;
    return array;
}

/// The same numbers as another type.
Result<HostArray> as_type(HostArray array, ElementType type, const std::string& name) {
    if (type == array.type) return array;
    const std::size_t from = element_bytes(array.type);
    const std::size_t to = element_bytes(type);
    const std::size_t count = array.bytes.size() / from;
    std::vector<std::byte> bytes(count * to);
    for (std::size_t i = 0; i < count; ++i) {
        const std::byte* const at = &array.bytes[i * from];
        const bool fits = with_number(array.type, at, [&](auto number) {
            return store_number(type, number, &bytes[i * to]);
        });
        if (fits) continue;
        const std::string text =
            with_number(array.type, at, [](auto number) { return fmt::format("{}", +number); });
        return fail("array/wrong-type",
                    fmt::format("number {} of {}, {}, is no {}", i, name, text, element_name(type)),
                    "leave \"type\" out to keep the type of the file");
    }
    array.type = type;
    array.bytes = std::move(bytes);
    return array;
}

Result<HostArray> decode_npy(std::span<const std::byte> file, const std::string& name) {
    auto header = codec::parse_npy_header(file, name, kDomain);
    if (!header) return propagate(std::move(header));
    const std::span<const std::byte> data = file.subspan(header->data_offset);
    const auto count = count_of(header->shape);
    const std::size_t size = element_bytes(header->type);
    if (!count || *count > data.size() / size)
        return fail("array/corrupt",
                    fmt::format("'{}' is cut short: {} bytes of data for an array of shape [{}]",
                                name, data.size(), fmt::join(header->shape, ", ")));
    const auto used = data.first(*count * size);
    if (header->shape.empty()) header->shape = {1}; // a single number
    return HostArray{header->type, std::move(header->shape), {used.begin(), used.end()}};
}

Result<HostArray> bare_bytes(std::vector<std::byte> file, const ArrayRequest& request,
                             const std::string& name) {
    if (!request.type)
        return fail("array/wrong-type", fmt::format("'{}' does not say what its bytes are", name),
                    "give the array a type, such as \"type\": \"f32\"");
    const std::size_t size = element_bytes(*request.type);
    if (file.size() % size != 0)
        return fail("array/wrong-type",
                    fmt::format("the {} bytes of '{}' are no whole number of {} ({} bytes each)",
                                file.size(), name, element_name(*request.type), size));
    const std::uint64_t count = file.size() / size;
    return HostArray{*request.type, {count}, std::move(file)};
}

} // namespace

BufferElements HostArray::elements() const {
    const bool vectors = shape.size() > 1 && shape.back() >= 2 && shape.back() <= 4;
    return BufferElements(type, vectors ? static_cast<std::uint32_t>(shape.back()) : 1);
}

Result<HostArray> load_array(const std::filesystem::path& path, const ArrayRequest& request) {
    auto file = read_file(path, kDomain, kMaxFile);
    if (!file) return propagate(std::move(file));
    const std::string extension = lower_extension(path);
    const std::string name = path.string();
    const std::string quoted = fmt::format("'{}'", name);
    Result<HostArray> array;
    if (extension == ".npy")
        array = decode_npy(*file, name);
    else if (extension == ".csv" || extension == ".txt" || extension == ".tsv")
        array = parse_numbers({reinterpret_cast<const char*>(file->data()), file->size()},
                              request.type.value_or(ElementType::f32), name);
    else if (extension == ".raw" || extension == ".bin")
        array = bare_bytes(std::move(*file), request, name);
    else if (extension == ".hair") // strands, whose bytes hair/read knows
        array = bare_bytes(std::move(*file), {.type = ElementType::u8}, name);
    else
        return fail("array/unknown-format",
                    fmt::format("{} has an extension that arrays are not read from", quoted),
                    "arrays are read from .npy, .csv, .txt, .tsv, .raw, .bin and .hair");
    if (array && request.type) array = as_type(std::move(*array), *request.type, quoted);
    if (!array) return array;
    return shaped(std::move(*array), request.shape, quoted);
}

Result<HostArray> make_array(std::span<const double> numbers, ElementType type,
                             std::vector<std::uint64_t> shape) {
    HostArray array{ElementType::f64, {numbers.size()}, {}};
    const auto bytes = std::as_bytes(numbers);
    array.bytes.assign(bytes.begin(), bytes.end());
    Result<HostArray> converted = as_type(std::move(array), type, "the array");
    if (!converted) return converted;
    return shaped(std::move(*converted), shape, "the array");
}

} // namespace tuff
