#include "library.hpp"

// <cstdio> first: the library's header uses FILE.
#include <jpeglib.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace tuff::testing_jpeg {
namespace {

[[noreturn]] void fail(j_common_ptr info) {
    char text[JMSG_LENGTH_MAX];
    info->err->format_message(info, text);
    throw std::runtime_error(text);
}
void stay_silent(j_common_ptr) {}

jpeg_error_mgr errors() {
    jpeg_error_mgr manager{};
    jpeg_std_error(&manager);
    manager.error_exit = fail;
    manager.output_message = stay_silent;
    return manager;
}

void open(jpeg_decompress_struct& info, std::span<const std::byte> file) {
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(file.data()), file.size());
    jpeg_read_header(&info, TRUE);
}

Pixels read_pixels(jpeg_decompress_struct& info) {
    info.dct_method = JDCT_ISLOW;
    jpeg_start_decompress(&info);
    Pixels pixels{.width = info.output_width,
                  .height = info.output_height,
                  .channels = static_cast<std::uint32_t>(info.output_components),
                  .values = {}};
    pixels.values.resize(std::size_t{pixels.width} * pixels.height * pixels.channels);
    while (info.output_scanline < info.output_height) {
        JSAMPROW row = pixels.values.data() +
                       std::size_t{info.output_scanline} * pixels.width * pixels.channels;
        jpeg_read_scanlines(&info, &row, 1);
    }
    jpeg_finish_decompress(&info);
    return pixels;
}

passes::jpeg::HuffmanTable table_of(const JHUFF_TBL* table) {
    passes::jpeg::HuffmanTable result;
    if (!table) return result;
    std::size_t symbols = 0;
    for (std::size_t length = 1; length <= 16; ++length) {
        result.counts[length - 1] = table->bits[length];
        symbols += table->bits[length];
    }
    result.symbols.assign(table->huffval, table->huffval + symbols);
    return result;
}

std::vector<Block> read_blocks(jpeg_decompress_struct& info,
                               std::array<passes::jpeg::TablePair, 3>& tables) {
    jvirt_barray_ptr* arrays = jpeg_read_coefficients(&info);
    for (int c = 0; c < info.num_components && c < 3; ++c) {
        const jpeg_component_info& part = info.comp_info[c];
        tables[static_cast<std::size_t>(c)] = {table_of(info.dc_huff_tbl_ptrs[part.dc_tbl_no]),
                                               table_of(info.ac_huff_tbl_ptrs[part.ac_tbl_no])};
    }
    const auto common = reinterpret_cast<j_common_ptr>(&info);
    const auto unit_rows = info.comp_info[0].height_in_blocks;
    const auto v = static_cast<unsigned>(info.comp_info[0].v_samp_factor);
    const auto h = static_cast<unsigned>(info.comp_info[0].h_samp_factor);
    const unsigned rows = (unit_rows + v - 1) / v;
    const unsigned columns = (info.comp_info[0].width_in_blocks + h - 1) / h;
    std::vector<Block> blocks;
    for (unsigned row = 0; row < rows; ++row)
        for (unsigned column = 0; column < columns; ++column)
            for (int c = 0; c < info.num_components; ++c) {
                const jpeg_component_info& part = info.comp_info[c];
                const auto down = static_cast<unsigned>(part.v_samp_factor);
                const auto across = static_cast<unsigned>(part.h_samp_factor);
                for (unsigned y = 0; y < down; ++y)
                    for (unsigned x = 0; x < across; ++x) {
                        JBLOCKARRAY line = info.mem->access_virt_barray(common, arrays[c],
                                                                        row * down + y, 1, FALSE);
                        Block block{};
                        for (std::size_t i = 0; i < 64; ++i)
                            block[i] = line[0][column * across + x][i];
                        blocks.push_back(block);
                    }
            }
    jpeg_finish_decompress(&info);
    return blocks;
}

} // namespace

Decoded decode(std::span<const std::byte> file) {
    Decoded result;
    jpeg_error_mgr manager = errors();
    for (const bool whole : {true, false}) {
        jpeg_decompress_struct info{};
        info.err = &manager;
        try {
            open(info, file);
            if (whole)
                result.pixels = read_pixels(info);
            else
                result.blocks = read_blocks(info, result.tables);
        } catch (const std::runtime_error& error) {
            result.error = error.what();
        }
        result.warnings += info.err->num_warnings;
        jpeg_destroy_decompress(&info);
    }
    return result;
}

std::vector<std::byte> encode(const Pixels& pixels, const Cut& cut, int quality, bool optimised) {
    jpeg_error_mgr manager = errors();
    jpeg_compress_struct info{};
    info.err = &manager;
    jpeg_create_compress(&info);
    unsigned char* bytes = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&info, &bytes, &size);
    info.image_width = pixels.width;
    info.image_height = pixels.height;
    info.input_components = static_cast<int>(pixels.channels);
    info.in_color_space = pixels.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&info);
    if (cut.grey) jpeg_set_colorspace(&info, JCS_GRAYSCALE);
    if (cut.direct) jpeg_set_colorspace(&info, JCS_RGB);
    jpeg_set_quality(&info, quality, TRUE);
    info.dct_method = JDCT_ISLOW;
    info.optimize_coding = optimised ? TRUE : FALSE;
    info.restart_interval = cut.restart;
    if (!cut.grey) {
        info.comp_info[0].h_samp_factor = static_cast<int>(cut.across);
        info.comp_info[0].v_samp_factor = static_cast<int>(cut.down);
    }
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
        // The library does not write to it.
        auto* row = const_cast<std::uint8_t*>(pixels.values.data()) +
                    std::size_t{info.next_scanline} * pixels.width * pixels.channels;
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    const auto first = reinterpret_cast<const std::byte*>(bytes);
    std::vector<std::byte> file(first, first + size);
    jpeg_destroy_compress(&info);
    std::free(bytes);
    return file;
}

std::vector<std::byte> with_optimised_tables(std::span<const std::byte> file) {
    jpeg_error_mgr manager = errors();
    jpeg_decompress_struct source{};
    source.err = &manager;
    open(source, file);
    jvirt_barray_ptr* arrays = jpeg_read_coefficients(&source);
    jpeg_compress_struct info{};
    info.err = &manager;
    jpeg_create_compress(&info);
    unsigned char* bytes = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&info, &bytes, &size);
    jpeg_copy_critical_parameters(&source, &info);
    info.optimize_coding = TRUE;
    info.restart_interval = source.restart_interval;
    jpeg_write_coefficients(&info, arrays);
    jpeg_finish_compress(&info);
    jpeg_finish_decompress(&source);
    const auto first = reinterpret_cast<const std::byte*>(bytes);
    std::vector<std::byte> result(first, first + size);
    jpeg_destroy_compress(&info);
    jpeg_destroy_decompress(&source);
    std::free(bytes);
    return result;
}

} // namespace tuff::testing_jpeg
