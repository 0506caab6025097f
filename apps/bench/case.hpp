#pragma once

#include <tuff/device.hpp>
#include <tuff/device_caps.hpp>
#include <tuff/executor.hpp>
#include <tuff/graph.hpp>
#include <tuff/image.hpp>
#include <tuff/pass.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Benchmark cases: what `tuff bench` measures, and how it knows that the result is right.
///
/// A file passes/<module>/bench.cpp defines `void add_<module>_cases(CaseList& cases)`; the
/// build finds it. A case is a few lines:
///
///     cases.add({.pass = Scan::kName, .name = "exclusive sum u32", .build = [](CaseBuilder& c) {
///         const auto values = c.input<std::uint32_t>("values", c.size(), hash32);
///         const Buffer sums = c.add(Scan{.source = values.buffer}).result;
///         c.check<std::uint32_t>("sums", sums, [values](std::span<const std::uint32_t> got) {
///             return equal(got, exclusive_sums(values.values())); // apps/bench/checks.hpp
///         });
///     }});
namespace tuff::bench {

/// What a check found: nothing, or one sentence that says what is wrong.
using Verdict = std::expected<void, std::string>;

/// An array that every execution of a case reads: made once, on the device before the first.
/// Copies share the bytes; a check keeps one to compute what is expected.
template <typename T>
struct Input {
    Buffer buffer;
    std::shared_ptr<const std::vector<std::byte>> bytes;
    std::span<const T> values() const {
        return {reinterpret_cast<const T*>(bytes->data()), bytes->size() / sizeof(T)};
    }
};

/// The same for an image; `texels()` has its rows one after the other.
template <typename T>
struct ImageInput {
    Image image;
    Extent extent;
    std::shared_ptr<const std::vector<std::byte>> bytes;
    std::span<const T> texels() const {
        return {reinterpret_cast<const T*>(bytes->data()), bytes->size() / sizeof(T)};
    }
};

/// The same work done by something else in the same run, to compare with.
struct Peer {
    std::string name;
    double milliseconds = 0.0;
};

/// Reads the outputs of a finished execution. What fails to be read is empty, and fails the run.
class CaseResults {
  public:
    CaseResults(Executor& executor, double milliseconds)
        : executor_(&executor), milliseconds_(milliseconds) {}

    /// What the case took: the median of all executions.
    double milliseconds() const { return milliseconds_; }

    template <typename T>
    std::vector<T> read(std::string_view output) {
        std::vector<std::byte> bytes = read_bytes(output);
        std::vector<T> values(bytes.size() / sizeof(T));
        if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
        return values;
    }
    std::vector<std::byte> read_bytes(std::string_view output);
    HostImage read_image(std::string_view output);

    /// Reports what something else took.
    void add_peer(Peer peer) { peers_.push_back(std::move(peer)); }
    const std::vector<Peer>& peers() const { return peers_; }

    /// Reports what a time alone does not say, "7 cycles".
    void set_remark(std::string remark) { remark_ = std::move(remark); }
    const std::string& remark() const { return remark_; }

    /// The errors of all reads so far.
    const Diagnostics& errors() const { return errors_; }

  private:
    Executor* executor_;
    double milliseconds_;
    std::vector<Peer> peers_;
    std::string remark_;
    Diagnostics errors_;
};

/// What a case's `build` is given: the graph, the size, and a place for what it declares.
class CaseBuilder {
  public:
    CaseBuilder(Graph& graph, const DeviceCaps& caps, std::uint64_t size, Device* device = nullptr)
        : graph_(&graph), caps_(&caps), device_(device), size_(size) {}

    Graph& graph() { return *graph_; }
    /// For libraries that make objects of their own on it; null where the case will not run.
    Device* device() { return device_; }
    const DeviceCaps& caps() const { return *caps_; }
    /// Elements of the problem: numbers, texels, entries of the resulting matrix.
    std::uint64_t size() const { return size_; }
    /// Side of the square with `size()` elements, rounded down.
    std::uint32_t side() const;
    /// An image of at most `size()` texels: a power of two wide, square or twice as wide as high
    /// where the size is a power of two.
    Extent extent() const;

    // --- inputs ------------------------------------------------------------------------------
    /// An array with `generate(i)` at index i.
    template <typename T, typename Generator>
    Input<T> input(std::string_view name, std::uint64_t count, Generator&& generate) {
        const auto bytes = fill<T>(count, generate);
        return {
            graph_->constant_buffer(name, {.size = count * sizeof(T), .stride = sizeof(T)}, bytes),
            bytes};
    }
    /// An image of `extent()`, or of another, with `generate(i)` at texel i. `T` has the size and
    /// layout of a texel of `format`.
    template <typename T, typename Generator>
    ImageInput<T> image(std::string_view name, Format format, Generator&& generate) {
        return image<T>(name, format, extent(), generate);
    }
    template <typename T, typename Generator>
    ImageInput<T> image(std::string_view name, Format format, Extent extent, Generator&& generate) {
        const auto bytes =
            fill<T>(std::uint64_t{extent.width} * extent.height * extent.depth, generate);
        return {graph_->constant_image(name, {.format = format, .extent = extent}, bytes), extent,
                bytes};
    }

    // --- work --------------------------------------------------------------------------------
    /// Adds a pass to the graph and what the pass says it costs to what the case costs.
    template <typename Pass>
    Pass add(Pass pass, std::string_view name = {}) {
        Pass added = graph_->add(std::move(pass), name);
        add_cost(cost_of(added, *graph_));
        return added;
    }
    /// For kernels without a pass, and passes that do not tell theirs.
    void add_cost(const Cost& cost) {
        cost_.bytes += cost.bytes;
        cost_.operations += cost.operations;
    }
    /// Instead of what has been added up so far: traffic to and from memory and arithmetic
    /// operations of one execution, the least that the problem needs.
    void set_cost(const Cost& cost) { cost_ = cost; }

    /// Only nodes below this scope count for the time: others prepare what they work on. Names are
    /// as in "primary/" for what was added as `add(pass, "primary")`.
    void time_only(std::string scope) { timed_scope_ = std::move(scope); }

    /// The case cannot run here; `reason` completes "skipped: ".
    void skip(std::string reason) { skipped_ = std::move(reason); }

    // --- results -----------------------------------------------------------------------------
    /// Keeps a result so that a check may read it.
    void output(std::string_view name, Buffer buffer) { graph_->output(name, buffer); }
    void output(std::string_view name, Image image) { graph_->output(name, image); }

    /// Compares what the last execution left with a reference. Large results may be checked by
    /// less than a comparison of all elements, as long as a wrong one cannot pass but by chance.
    void check(std::function<Verdict(CaseResults&)> function) {
        checks_.push_back(std::move(function));
    }
    /// Keeps one result and checks it.
    template <typename T>
    void check(std::string_view name, Buffer buffer,
               std::function<Verdict(std::span<const T>)> function) {
        output(name, buffer);
        check([name = std::string(name), function = std::move(function)](CaseResults& results) {
            return function(results.read<T>(name));
        });
    }
    void check(std::string_view name, Image image,
               std::function<Verdict(const HostImage&)> function) {
        output(name, image);
        check([name = std::string(name), function = std::move(function)](CaseResults& results) {
            return function(results.read_image(name));
        });
    }

    // --- for the one who runs the case -----------------------------------------------------------
    const Cost& cost() const { return cost_; }
    const std::string& timed_scope() const { return timed_scope_; } ///< empty: all nodes
    const std::optional<std::string>& skipped() const { return skipped_; }
    using Checks = std::vector<std::function<Verdict(CaseResults&)>>;
    const Checks& checks() const { return checks_; }

  private:
    template <typename T, typename Generator>
    static std::shared_ptr<const std::vector<std::byte>> fill(std::uint64_t count,
                                                              Generator& generate) {
        static_assert(std::is_trivially_copyable_v<T>);
        auto bytes = std::make_shared<std::vector<std::byte>>(count * sizeof(T));
        T* values = reinterpret_cast<T*>(bytes->data());
        for (std::uint64_t i = 0; i < count; ++i)
            values[i] = static_cast<T>(generate(i));
        return bytes;
    }

    Graph* graph_;
    const DeviceCaps* caps_;
    Device* device_;
    std::uint64_t size_;
    Cost cost_;
    std::string timed_scope_;
    std::optional<std::string> skipped_;
    Checks checks_;
};

/// One thing to measure, at several sizes.
struct Case {
    std::string pass; ///< "primitives/scan"
    std::string name; ///< which of its variants, without commas: "exclusive sum u32"
    std::function<void(CaseBuilder&)> build;
    // Sizes beyond these are left out.
    std::uint64_t least = 1;
    std::uint64_t most = std::uint64_t{1} << 28;
    std::uint64_t most_on_software = std::uint64_t{1} << 20;

    /// "primitives/scan exclusive sum u32": what a pattern is matched with.
    std::string full_name() const { return pass + ' ' + name; }
};

/// The cases a program knows, in the order in which they were added.
class CaseList {
  public:
    void add(Case added) { cases_.push_back(std::move(added)); }
    const std::vector<Case>& all() const& { return cases_; }
    std::vector<Case> all() && { return std::move(cases_); } ///< outlives `all_cases()` in a loop

  private:
    std::vector<Case> cases_;
};

/// Every case of passes/*/bench*.cpp, sorted by pass; those of one pass in the order of its file.
CaseList all_cases();

/// Well-mixed bits of an index: inputs that are the same in every run (the finaliser of
/// MurmurHash3, Appleby 2011).
constexpr std::uint32_t hash32(std::uint64_t index) {
    auto bits = static_cast<std::uint32_t>(index ^ (index >> 32)) + 0x9e3779b9u;
    bits = (bits ^ (bits >> 16)) * 0x85ebca6bu;
    bits = (bits ^ (bits >> 13)) * 0xc2b2ae35u;
    return bits ^ (bits >> 16);
}
/// A number in [0, 1), from the same generator.
constexpr float hash_unit(std::uint64_t index) {
    return static_cast<float>(hash32(index) >> 8) * 0x1p-24f;
}

} // namespace tuff::bench
