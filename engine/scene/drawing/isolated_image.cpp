#include "scene/drawing/isolated_image.hpp"

#include "core/isolated.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>

namespace tuff {
namespace {

/// The part of an answer that has a fixed size.
struct PictureHead {
    bool is_picture = false;
    Format format = Format::undefined;
    Extent extent;
    std::array<std::uint64_t, 3> lengths{}; ///< of code, message and hint
};
static_assert(std::is_trivially_copyable_v<PictureHead>);

void send_picture(AnswerPipe& pipe, const Result<HostImage>& drawn) {
    PictureHead head{.is_picture = drawn.has_value()};
    std::array<std::string_view, 3> texts;
    if (drawn) {
        head.format = drawn->format;
        head.extent = drawn->extent;
    } else {
        const Diagnostic& error = drawn.error().front();
        texts = {error.code, error.message, error.hint};
    }
    for (std::size_t i = 0; i < texts.size(); ++i)
        head.lengths[i] = texts[i].size();
    bool sent = pipe.write(&head, sizeof head);
    for (const std::string_view text : texts)
        sent = sent && pipe.write(text.data(), text.size());
    if (sent && drawn) pipe.write(drawn->texels.data(), drawn->texels.size());
}

/// Nothing where the process said nothing, or nonsense.
std::optional<Result<HostImage>> receive_picture(AnswerPipe& pipe) {
    PictureHead head;
    constexpr std::uint64_t kMaxText = 1u << 16;
    if (!pipe.read(&head, sizeof head)) return std::nullopt;
    std::array<std::string, 3> texts;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (head.lengths[i] > kMaxText) return std::nullopt;
        texts[i].resize(static_cast<std::size_t>(head.lengths[i]));
        if (!pipe.read(texts[i].data(), texts[i].size())) return std::nullopt;
    }
    if (!head.is_picture) return fail(texts[0], texts[1], texts[2]);
    const bool sound = (head.format == Format::r8_unorm || head.format == Format::rgba8_unorm) &&
                       head.extent.width <= kMaxImageSide && head.extent.height <= kMaxImageSide &&
                       head.extent.depth == 1;
    if (!sound) return std::nullopt;
    HostImage image = make_image(head.format, head.extent);
    if (!pipe.read(image.texels.data(), image.texels.size())) return std::nullopt;
    return image;
}

} // namespace

Result<HostImage> draw_isolated(std::uint64_t memory, unsigned seconds,
                                const std::function<Result<HostImage>()>& draw,
                                const Diagnostic& ended) {
    std::optional<Result<HostImage>> answer;
    const IsolatedEnd end = run_isolated(
        memory, seconds, [&](AnswerPipe& pipe) { send_picture(pipe, draw()); },
        [&](AnswerPipe& pipe) { return (answer = receive_picture(pipe)).has_value(); });
    if (end == IsolatedEnd::not_started)
        return fail("image/unreadable",
                    std::string("no process can be started: ") + strerror(errno),
                    "end some processes or close some files");
    if (end == IsolatedEnd::answered) return std::move(*answer);
    return fail(ended.code, ended.message, ended.hint);
}

} // namespace tuff
