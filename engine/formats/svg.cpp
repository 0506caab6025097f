// SVG files by librsvg, which reads no other file, as it is not told where this one lies.
#include "formats/svg.hpp"

#include <librsvg/rsvg.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>

namespace {

constexpr double kMaxSvgSide = 65536.0;

struct Release {
    void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_t* context) const { cairo_destroy(context); }
};

TuffSvgEnd refuse(TuffSvgTarget& target, TuffSvgEnd end, const char* message) {
    std::snprintf(target.message, sizeof target.message, "%s", message);
    return end;
}

TuffSvgEnd refuse(TuffSvgTarget& target, GError* error) {
    const TuffSvgEnd end =
        refuse(target, tuff_svg_corrupt, error ? error->message : "it cannot be read");
    g_clear_error(&error);
    return end;
}

/// The size that the file says: its width and height, else that of its view box.
bool find_size(RsvgHandle* handle, double& width, double& height) {
    if (!rsvg_handle_get_intrinsic_size_in_pixels(handle, &width, &height)) {
        gboolean has_box = FALSE;
        RsvgRectangle box{};
        rsvg_handle_get_intrinsic_dimensions(handle, nullptr, nullptr, nullptr, nullptr, &has_box,
                                             &box);
        if (!has_box) return false;
        width = box.width;
        height = box.height;
    }
    return width > 0.0 && height > 0.0 && width <= kMaxSvgSide && height <= kMaxSvgSide;
}

/// Texels of 32 bits, alpha highest and multiplied into the colours, to bytes that are not.
void copy_straight(const unsigned char* row, int stride, unsigned width, unsigned height,
                   unsigned char* target) {
    for (unsigned y = 0; y < height; ++y, row += stride)
        for (unsigned x = 0; x < width; ++x, target += 4) {
            unsigned texel = 0;
            std::memcpy(&texel, row + 4 * x, 4);
            const unsigned alpha = texel >> 24;
            for (unsigned c = 0; c < 3; ++c) {
                const unsigned part = texel >> (16 - 8 * c) & 0xffu;
                target[c] =
                    static_cast<unsigned char>(alpha == 0 ? 0 : (part * 255 + alpha / 2) / alpha);
            }
            target[3] = static_cast<unsigned char>(alpha);
        }
}

} // namespace

extern "C" TuffSvgEnd tuff_draw_svg(const char* file, std::size_t bytes, TuffSvgTarget* target) {
    GError* error = nullptr;
    const std::unique_ptr<RsvgHandle, Release> handle(rsvg_handle_new_from_data(
        reinterpret_cast<const guint8*>(file), static_cast<gsize>(bytes), &error));
    if (!handle) return refuse(*target, error);
    rsvg_handle_set_dpi(handle.get(), 96.0);
    if (target->width == 0) {
        double width = 0.0;
        double height = 0.0;
        if (!find_size(handle.get(), width, height))
            return refuse(*target, tuff_svg_no_size, "it says no size");
        target->width = static_cast<unsigned>(std::ceil(width));
        target->height = static_cast<unsigned>(std::ceil(height));
    }
    unsigned char* const texels = target->take(target->owner, target->width, target->height);
    if (!texels) return tuff_svg_too_large;

    const std::unique_ptr<cairo_surface_t, Release> surface(cairo_image_surface_create(
        CAIRO_FORMAT_ARGB32, static_cast<int>(target->width), static_cast<int>(target->height)));
    if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS)
        return refuse(*target, tuff_svg_too_large, "there is no memory for it");
    const std::unique_ptr<cairo_t, Release> context(cairo_create(surface.get()));
    const RsvgRectangle all{0.0, 0.0, static_cast<double>(target->width),
                            static_cast<double>(target->height)};
    if (!rsvg_handle_render_document(handle.get(), context.get(), &all, &error))
        return refuse(*target, error);
    cairo_surface_flush(surface.get());
    copy_straight(cairo_image_surface_get_data(surface.get()),
                  cairo_image_surface_get_stride(surface.get()), target->width, target->height,
                  texels);
    return tuff_svg_drawn;
}
