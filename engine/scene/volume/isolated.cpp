#include "scene/volume/isolated.hpp"

#include "core/isolated.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>

namespace tuff {
namespace {

/// The part of an answer that has a fixed size; texts and numbers follow.
struct AnswerHead {
    bool is_volume = false;
    Extent extent;
    ElementType type = ElementType::u8;
    std::uint32_t channels = 1;
    VolumeGeometry geometry;
    std::array<std::uint64_t, 4> lengths{}; ///< of the format or of code, message and hint; numbers
};
static_assert(std::is_trivially_copyable_v<AnswerHead>);

void send(AnswerPipe& pipe, const Result<StoredVolume>& read) {
    AnswerHead head{.is_volume = read.has_value()};
    std::array<std::string_view, 3> texts;
    if (read) {
        head.extent = read->extent;
        head.type = read->type;
        head.channels = read->channels;
        head.geometry = read->geometry;
        texts[0] = read->format;
        head.lengths[3] = read->numbers.size();
    } else {
        const Diagnostic& error = read.error().front();
        texts = {error.code, error.message, error.hint};
    }
    for (std::size_t i = 0; i < texts.size(); ++i)
        head.lengths[i] = texts[i].size();
    bool sent = pipe.write(&head, sizeof head);
    for (const std::string_view text : texts)
        sent = sent && pipe.write(text.data(), text.size());
    if (sent && read) pipe.write(read->numbers.data(), read->numbers.size());
}

/// Nothing where the process said nothing, or nonsense.
std::optional<Result<StoredVolume>> receive(AnswerPipe& pipe) {
    AnswerHead head;
    constexpr std::uint64_t kMaxText = 1u << 20;
    if (!pipe.read(&head, sizeof head) || head.lengths[3] > kMaxImageBytes) return std::nullopt;
    std::array<std::string, 3> texts;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (head.lengths[i] > kMaxText) return std::nullopt;
        texts[i].resize(static_cast<std::size_t>(head.lengths[i]));
        if (!pipe.read(texts[i].data(), texts[i].size())) return std::nullopt;
    }
    if (!head.is_volume) return fail(texts[0], texts[1], texts[2]);
    StoredVolume volume{.extent = head.extent,
                        .type = head.type,
                        .channels = head.channels,
                        .numbers = std::vector<std::byte>(head.lengths[3]),
                        .geometry = head.geometry,
                        .format = texts[0]};
    if (head.lengths[3] != stored_bytes(volume.extent, volume.channels, volume.type) ||
        !pipe.read(volume.numbers.data(), volume.numbers.size()))
        return std::nullopt;
    return volume;
}

} // namespace

Result<StoredVolume> read_isolated(std::string_view name, std::uint64_t memory,
                                   std::uint64_t file_bytes,
                                   const std::function<Result<StoredVolume>()>& read) {
    std::optional<Result<StoredVolume>> answer;
    const IsolatedEnd end = run_isolated(
        memory, reading_seconds(file_bytes), [&](AnswerPipe& pipe) { send(pipe, read()); },
        [&](AnswerPipe& pipe) { return (answer = receive(pipe)).has_value(); });
    if (end == IsolatedEnd::not_started)
        return fail("volume/unreadable",
                    std::string("no process can be started: ") + strerror(errno),
                    "end some processes or close some files");
    if (end == IsolatedEnd::answered) return std::move(*answer);
    return corrupt_volume(name, "its reader failed");
}

} // namespace tuff
