#pragma once

#include "config/read/config_file.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tuff {

/// Reads the members of one JSON object by name and type. Each member asked for is a known key;
/// `finish` reports the others.
class ObjectReader {
  public:
    /// `what` names the object in messages: "node \"blur\"". Reports config/wrong-type where `json`
    /// is not an object; every member then counts as missing.
    ObjectReader(const SourceFile& source, const Json::Value& json, std::string what,
                 Problems& problems);

    bool has(const std::string& key);
    /// The member, or null. Any type.
    const Json::Value* find(const std::string& key);
    const Json::Value* find_object(const std::string& key);
    /// Reports config/missing-key.
    void require(const std::string& key);

    std::optional<Placed> text(const std::string& key);
    std::optional<bool> boolean(const std::string& key);
    /// Whole numbers from `low` to `high`, else config/out-of-range.
    std::optional<std::uint64_t> whole(const std::string& key, std::uint64_t low,
                                       std::uint64_t high);
    /// Exactly `count` numbers.
    std::optional<std::vector<double>> numbers(const std::string& key, std::size_t count);
    /// [width, height], each from 1 to kMaxConfigSide, else config/bad-size.
    std::optional<std::array<std::uint32_t, 2>> size(const std::string& key);

    void finish();

    const std::string& what() const { return what_; }
    const Json::Value& json() const { return json_; }
    Span span() const { return span_of(source_, json_); }
    Span span(const Json::Value& value) const { return span_of(source_, value); }
    Span key(const std::string& key) const { return key_span(source_, json_, key); }

  private:
    void wrong_type(const std::string& key, std::string_view expected, const Json::Value& value);

    const SourceFile& source_;
    const Json::Value& json_;
    std::string what_;
    Problems& problems_;
    std::vector<std::string> known_;
};

} // namespace tuff
