#include "core/text_table.hpp"

#include <gtest/gtest.h>

namespace tuff {
namespace {

TEST(TextTable, aligns_columns_and_leaves_no_trailing_spaces) {
    TextTable table({Align::left, Align::right});
    table.add({"a", "1", "x"});
    table.add({"long", "100"});
    EXPECT_EQ(table.text("> "), "> a       1  x\n> long  100\n");
}

TEST(TextTable, counts_neither_escapes_nor_continuation_bytes) {
    EXPECT_EQ(text_width("\x1b[31mred\x1b[0m"), 3u);
    EXPECT_EQ(text_width("\u03c3 = 2"), 5u);
}

TEST(HumanBytes, keeps_three_digits_and_carries_to_the_next_unit) {
    EXPECT_EQ(human_bytes(0), "0 B");
    EXPECT_EQ(human_bytes(1023), "1023 B");
    EXPECT_EQ(human_bytes(1024), "1.00 KiB");
    EXPECT_EQ(human_bytes(7372800), "7.03 MiB");
    EXPECT_EQ(human_bytes(1024 * 1024 - 1), "1.00 MiB");
    EXPECT_EQ(human_bytes(200u * 1024 * 1024), "200 MiB");
}

TEST(Wrapped, breaks_at_spaces_and_keeps_newlines) {
    EXPECT_EQ(wrapped("one two three", 7, "  "), "one two\n  three");
    EXPECT_EQ(wrapped("one\ntwo", 80, "  "), "one\n  two");
    EXPECT_EQ(wrapped("unbreakable", 4, ""), "unbreakable");
}

TEST(Counted, takes_the_plural) {
    EXPECT_EQ(counted(1, "batch"), "1 batch");
    EXPECT_EQ(counted(2, "batch"), "2 batches");
    EXPECT_EQ(counted(0, "node"), "0 nodes");
}

} // namespace
} // namespace tuff
