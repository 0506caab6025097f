// Arrays of numbers from files.

#include "core/element_numbers.hpp"
#include "tests/common/test_folder.hpp"

#include <tuff/array.hpp>
#include <tuff/image.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <limits>

namespace tuff {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Arrays : public testing::Test {
  protected:
    Arrays() : folder_(test::empty_folder()) {}

    std::filesystem::path write(const std::string& name, std::string_view bytes) {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
        return folder_ / name;
    }
    Result<HostArray> load(const std::string& name, std::string_view bytes,
                           const ArrayRequest& request = {}) {
        return load_array(write(name, bytes), request);
    }
    template <typename T>
    static std::vector<T> numbers(const Result<HostArray>& array) {
        if (!array) throw std::runtime_error(to_string(array.error()));
        std::vector<T> result(array->bytes.size() / sizeof(T));
        std::memcpy(result.data(), array->bytes.data(), array->bytes.size());
        return result;
    }
    static std::string code(const Result<HostArray>& array) {
        return array ? "" : array.error().at(0).code;
    }
    static std::string message(const Result<HostArray>& array) {
        return array ? "" : array.error().at(0).message;
    }

    std::filesystem::path folder_;
};

TEST_F(Arrays, TextHasAnyOfTheUsualSeparators) {
    for (const char* text : {"1,2.5\n-3,4e2\n", "1;2.5\n-3;4e2", "1 2.5\r\n  -3\t4e2 \r\n",
                             "# a comment\nx,y\n1, 2.5\n\n-3 , 4e2\n", "1,2.5,\n-3,400,\n",
                             "\xef\xbb\xbf+1,2.5\n-3,4e2\n"}) {
        const auto array = load("a.csv", text);
        EXPECT_THAT(numbers<float>(array), ElementsAre(1.0f, 2.5f, -3.0f, 400.0f)) << text;
        EXPECT_THAT(array->shape, ElementsAre(2, 2)) << text;
        EXPECT_EQ(array->elements().name(), "vec2");
    }
    const auto column = load("a.txt", "7\n8\n9");
    EXPECT_THAT(column->shape, ElementsAre(3));
    EXPECT_EQ(column->elements().name(), "f32");
}

TEST_F(Arrays, TextOfWholeNumbersLosesNoDigits) {
    const auto large =
        load("a.csv", "18446744073709551615\n9007199254740993\n", {.type = ElementType::u64});
    EXPECT_THAT(numbers<std::uint64_t>(large),
                ElementsAre(18446744073709551615u, 9007199254740993u));
    EXPECT_THAT(numbers<std::int8_t>(load("a.csv", "-128\n127\n", {.type = ElementType::i8})),
                ElementsAre(-128, 127));
    EXPECT_EQ(code(load("a.csv", "128\n", {.type = ElementType::i8})), "array/wrong-type");
    EXPECT_EQ(code(load("a.csv", "-1\n", {.type = ElementType::u32})), "array/wrong-type");
    EXPECT_EQ(code(load("a.csv", "1.5\n", {.type = ElementType::u32})), "array/wrong-type");
    EXPECT_EQ(code(load("a.csv", "1e39\n")), "array/wrong-type");
    EXPECT_EQ(code(load("a.csv", "65520\n", {.type = ElementType::f16})), "array/wrong-type");
}

TEST_F(Arrays, TextMayBeInfiniteOrNoNumber) {
    const auto array = load("a.csv", "1\ninf\n-inf\nnan\n");
    const std::vector<float> all = numbers<float>(array);
    EXPECT_EQ(all[1], std::numeric_limits<float>::infinity());
    EXPECT_EQ(all[2], -std::numeric_limits<float>::infinity());
    EXPECT_TRUE(all[3] != all[3]);
}

TEST_F(Arrays, MistakesInTextHaveTheirPlace) {
    const auto word = load("a.csv", "x,y\n1,2\n3,four\n");
    EXPECT_EQ(code(word), "array/not-a-number");
    EXPECT_THAT(message(word), HasSubstr("line 3, column 2: \"four\""));
    EXPECT_EQ(code(load("a.csv", "1,,2\n")), "array/not-a-number");
    // A first line with a number in it is no line of names.
    EXPECT_EQ(code(load("a.csv", "1.0.0,2\n3,4\n")), "array/not-a-number");
    const auto ragged = load("a.csv", "1,2\n3\n");
    EXPECT_EQ(code(ragged), "array/wrong-shape");
    EXPECT_THAT(message(ragged), HasSubstr("line 2: 1 numbers, and 2"));
    EXPECT_EQ(code(load("a.csv", "x\n")), "array/empty");
    EXPECT_EQ(code(load("a.csv", "")), "array/empty");
}

TEST_F(Arrays, NpyKeepsItsTypeOrTakesAnother) {
    const std::vector<double> values = {1.0, -2.0, 3.0, 4.0, 5.0, 6.0};
    const std::array<std::uint64_t, 2> shape = {2, 3};
    ASSERT_TRUE(
        save_npy(folder_ / "a.npy", ElementType::f64, shape, std::as_bytes(std::span(values))));
    const auto kept = load_array(folder_ / "a.npy");
    EXPECT_EQ(kept->type, ElementType::f64);
    EXPECT_THAT(kept->shape, ElementsAre(2, 3));
    EXPECT_THAT(numbers<double>(kept), testing::ElementsAreArray(values));
    const auto floats = load_array(folder_ / "a.npy", {.type = ElementType::f32, .shape = {6}});
    EXPECT_THAT(numbers<float>(floats), ElementsAre(1, -2, 3, 4, 5, 6));
    EXPECT_EQ(floats->elements().name(), "f32");
    const auto unsigned_ones = load_array(folder_ / "a.npy", {.type = ElementType::u32});
    EXPECT_EQ(code(unsigned_ones), "array/wrong-type");
    EXPECT_THAT(message(unsigned_ones), HasSubstr("number 1 of "));
    EXPECT_EQ(code(load_array(folder_ / "a.npy", {.shape = {4, 2}})), "array/wrong-shape");
    constexpr std::uint64_t kHuge = std::uint64_t{1} << 33;
    EXPECT_EQ(code(load_array(folder_ / "a.npy", {.shape = {kHuge, kHuge}})), "array/wrong-shape");

    std::ifstream file(folder_ / "a.npy", std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(file), {}};
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_EQ(code(load("b.npy", whole.substr(0, size))), "array/corrupt") << size;
    std::string big = whole;
    big.replace(big.find("(2, 3)"), 6, "(2,1" + std::string(1, ')') + " ");
    EXPECT_TRUE(load("b.npy", big)); // fewer numbers than there are: the rest is left alone
    big = whole;
    big.replace(big.find("<f8"), 3, ">f8");
    EXPECT_EQ(code(load("b.npy", big)), "array/unsupported");
    big = whole;
    big.replace(big.find("False"), 5, "True ");
    EXPECT_EQ(code(load("b.npy", big)), "array/unsupported");
}

TEST_F(Arrays, BareBytesNeedAType) {
    const std::string bytes("\x01\x00\x00\x00\xff\xff\xff\xff", 8);
    EXPECT_EQ(code(load("a.raw", bytes)), "array/wrong-type");
    EXPECT_THAT(numbers<std::uint32_t>(load("a.raw", bytes, {.type = ElementType::u32})),
                ElementsAre(1u, 0xffffffffu));
    EXPECT_THAT(numbers<std::int16_t>(load("a.bin", bytes, {.type = ElementType::i16})),
                ElementsAre(1, 0, -1, -1));
    EXPECT_EQ(code(load("a.bin", bytes.substr(1), {.type = ElementType::i16})), "array/wrong-type");
    EXPECT_EQ(code(load("a.bin", "", {.type = ElementType::u8})), "array/empty");
}

TEST_F(Arrays, FilesThatAreNoneAreTold) {
    EXPECT_EQ(code(load_array(folder_ / "none.csv")), "array/not-found");
    EXPECT_EQ(code(load_array(folder_)), "array/unreadable");
    EXPECT_EQ(code(load("a.png", "1,2")), "array/unknown-format");
}

// Against what each conversion means, at the ends of every type.
TEST(ElementNumbers, KeepTheValueOrAreRefused) {
    const auto stores = [](ElementType type, auto number) {
        std::array<std::byte, 8> at{};
        return store_number(type, number, at.data());
    };
    EXPECT_TRUE(stores(ElementType::u8, 255));
    EXPECT_FALSE(stores(ElementType::u8, 256));
    EXPECT_FALSE(stores(ElementType::u8, -1));
    EXPECT_TRUE(stores(ElementType::i64, -9223372036854775808.0));
    EXPECT_FALSE(stores(ElementType::i64, 9223372036854775808.0));
    EXPECT_TRUE(stores(ElementType::u64, 18446744073709549568.0));
    EXPECT_FALSE(stores(ElementType::u64, 18446744073709551616.0));
    EXPECT_FALSE(stores(ElementType::i32, std::numeric_limits<double>::quiet_NaN()));
    EXPECT_TRUE(stores(ElementType::f32, std::numeric_limits<double>::infinity()));
    EXPECT_FALSE(stores(ElementType::f32, 1e300));
    EXPECT_TRUE(stores(ElementType::f16, 65519.0));
    EXPECT_FALSE(stores(ElementType::f16, -65520.0));
    EXPECT_EQ(half_bits(1.0f), 0x3c00);
    EXPECT_EQ(half_bits(1.00048828125f), 0x3c00); // between two halves: the even one
    EXPECT_EQ(half_bits(1.00146484375f), 0x3c02);
}

} // namespace
} // namespace tuff
