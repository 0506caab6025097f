#include "gpu/checkpoint/agreement.hpp"

#include <tuff/communicator.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

namespace tuff {
namespace {

constexpr char kEnd = '\x1f'; ///< of a text

std::vector<std::byte> bytes_of(std::string_view text) {
    std::vector<std::byte> bytes(text.size());
    std::ranges::copy(std::as_bytes(std::span(text)), bytes.begin());
    return bytes;
}

std::string text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string packed(const Diagnostics& problems) {
    std::string text;
    for (const Diagnostic& problem : problems)
        for (const std::string* part :
             {&problem.code, &problem.message, &problem.where.file, &problem.hint})
            text += *part + kEnd;
    return text;
}

Diagnostics unpacked(std::string_view text) {
    Diagnostics problems;
    const auto next = [&] {
        const std::size_t end = std::min(text.find(kEnd), text.size());
        std::string part(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        return part;
    };
    while (!text.empty()) {
        Diagnostic problem{.severity = Severity::error};
        problem.code = next();
        problem.message = next();
        problem.where.file = next();
        problem.hint = next();
        problems.push_back(std::move(problem));
    }
    return problems;
}

} // namespace

bool Agreement::leads() const {
    return !ranks_ || ranks_->rank() == 0;
}

std::string Agreement::name(std::size_t rank) const {
    return ranks_->name(static_cast<std::int32_t>(rank));
}

Result<void> Agreement::on(Result<void> own) const {
    if (!ranks_) return own;
    const std::int64_t none = ranks_->size();
    std::array<std::int64_t, 1> failed = {own ? none : ranks_->rank()};
    if (auto ok = ranks_->all_reduce(failed, Reduction::min); !ok) return ok;
    if (failed[0] == none) return {};
    const auto rank = static_cast<std::int32_t>(failed[0]);
    std::vector<std::byte> why;
    if (rank == ranks_->rank()) why = bytes_of(packed(own.error()));
    if (auto ok = ranks_->broadcast(why, rank); !ok) return ok;
    Diagnostics problems = unpacked(text_of(why));
    if (rank != 0)
        for (Diagnostic& problem : problems)
            problem.message += " (" + ranks_->name(rank) + ")";
    return std::unexpected(std::move(problems));
}

Result<std::vector<std::string>> Agreement::gather(const std::string& text) const {
    const auto all = ranks_->gather(bytes_of(text), 0);
    if (!all) return std::unexpected(all.error());
    std::vector<std::string> texts;
    for (const auto& bytes : *all)
        texts.push_back(text_of(bytes));
    return texts;
}

} // namespace tuff
