// How fast the parallel primitives are: `tuff_primitives_benchmark [log2 of the elements]...`, on
// the device that TUFF_DEVICE names. Prints the time of a pass's own nodes, the best and the median
// of the runs. The results of sums and counts are checked.

#include "passes/primitives/compact.hpp"
#include "passes/primitives/histogram.hpp"
#include "passes/primitives/map.hpp"
#include "passes/primitives/reduce.hpp"
#include "passes/primitives/scan.hpp"

#include <tuff/executor.hpp>
#include <tuff/graph.hpp>
#include <tuff/shader_library.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace tuff::bench {
namespace {

using Words = std::vector<std::uint32_t>;

struct Case {
    std::string name;
    double bytes_per_element;
    /// Adds the pass, with scope "measured", and returns what is to be checked.
    std::function<Buffer(Graph&, Buffer source)> build;
    std::function<bool(const Words& source, const Words& result)> check;
};

class Bench {
  public:
    Bench(Device& device, const ShaderLibrary& shaders) : device_(device), shaders_(shaders) {}

    void measure(const Case& c, const std::shared_ptr<const std::vector<std::byte>>& bytes,
                 const Words& words) {
        Graph g(shaders_);
        g.set_target(device_.caps());
        const Buffer source =
            g.constant_buffer("source", {.size = bytes->size(), .stride = 4}, bytes);
        g.push_scope("measured");
        const Buffer result = c.build(g, source);
        g.pop_scope();
        g.output("result", result);
        const auto memory = memory_model(device_);
        auto plan = compile(std::move(g).finish(), device_.caps(), {.memory = memory.get()});
        if (!plan) return fail(c, plan.error());
        auto executor =
            Executor::create(device_, shaders_, std::make_shared<const Plan>(std::move(*plan)));
        if (!executor) return fail(c, executor.error());
        constexpr int kRuns = 12;
        std::vector<double> times;
        std::string detail;
        for (int run = 0; run < kRuns; ++run) {
            if (auto ok = executor->execute(); !ok) return fail(c, ok.error());
            if (auto ok = executor->wait(); !ok) return fail(c, ok.error());
            const ExecutionTimings timings = executor->timings();
            double sum = 0.0;
            detail.clear();
            for (const NodeTiming& node : timings.nodes)
                if (node.name.starts_with("measured/")) {
                    sum += node.milliseconds;
                    detail += fmt::format(" {} {:.4f}", node.name.substr(9), node.milliseconds);
                }
            times.push_back(sum);
        }
        auto got = executor->read_buffer("result");
        if (!got) return fail(c, got.error());
        Words values(got->size() / 4);
        std::memcpy(values.data(), got->data(), values.size() * 4);
        const bool right = c.check(words, values);
        std::ranges::sort(times);
        const double best = times.front();
        const double n = static_cast<double>(words.size());
        fmt::print(
            "{:<28} {:>10} {:9.4f} ms best {:9.4f} median {:9.1f} Gitem/s {:8.1f} GB/s {} |{}\n",
            c.name, words.size(), best, times[times.size() / 2], n / best * 1e-6,
            n * c.bytes_per_element / best * 1e-6, right ? "right" : "WRONG", detail);
        std::fflush(stdout);
    }

  private:
    static void fail(const Case& c, const Diagnostics& problems) {
        fmt::print("{}: {}\n", c.name, to_string(problems));
    }
    Device& device_;
    const ShaderLibrary& shaders_;
};

std::vector<Case> cases() {
    using passes::ScanMethod;
    std::vector<Case> all;
    const auto sum_check = [](const Words& source, const Words& result) {
        std::uint32_t sum = 0;
        for (const std::uint32_t word : source)
            sum += word;
        return result.at(0) == sum;
    };
    const auto scan_check = [](const Words& source, const Words& result) {
        std::uint32_t sum = 0;
        for (std::size_t i = 0; i < source.size(); ++i) {
            if (result[i] != sum) return false;
            sum += source[i];
        }
        return true;
    };
    const auto half_check = [](const Words& source, const Words& result) {
        std::size_t at = 0;
        for (const std::uint32_t word : source)
            if ((word & 1u) != 0 && result[at++] != word) return false;
        return true;
    };
    all.push_back({"map x + 1", 8.0,
                   [](Graph& g, Buffer source) {
                       return g.add(passes::Map{.source = source, .expression = "x + 1u"}).result;
                   },
                   [](const Words& source, const Words& result) {
                       return result[source.size() / 2] == source[source.size() / 2] + 1;
                   }});
    all.push_back(
        {"reduce sum u32", 4.0,
         [](Graph& g, Buffer source) { return g.add(passes::Reduce{.source = source}).result; },
         sum_check});
    for (const auto& [name, method] : {std::pair{"scan look_back", ScanMethod::look_back},
                                       std::pair{"scan three_pass", ScanMethod::three_pass}})
        all.push_back({name, 8.0,
                       [method](Graph& g, Buffer source) {
                           return g.add(passes::Scan{.source = source, .method = method}).result;
                       },
                       scan_check});
    for (const auto& [name, method] : {std::pair{"compact look_back", ScanMethod::look_back},
                                       std::pair{"compact three_pass", ScanMethod::three_pass}})
        all.push_back({name, 6.0,
                       [method](Graph& g, Buffer source) {
                           passes::Compact pass{.predicate = "(x & 1u) != 0u"};
                           pass.source = source;
                           pass.method = method;
                           return g.add(pass).result;
                       },
                       half_check});
    all.push_back({"histogram bytes", 4.0,
                   [](Graph& g, Buffer source) {
                       passes::Histogram pass{.binning = passes::Binning::bytes};
                       pass.source = source;
                       return g.add(pass).result;
                   },
                   [](const Words& source, const Words& result) {
                       std::vector<std::uint32_t> expected(256);
                       for (const std::uint32_t word : source)
                           for (int shift = 0; shift < 32; shift += 8)
                               ++expected[word >> shift & 0xff];
                       return expected == result;
                   }});
    return all;
}

int run(int argc, char** argv) {
    auto device = Device::open({.select = default_device_selection()});
    if (!device) {
        fmt::print("{}\n", to_string(device.error()));
        return 1;
    }
    fmt::print("{} ({})\n", device->caps().name, device->caps().driver);
    const ShaderLibrary shaders = ShaderLibrary::embedded();
    Bench bench(*device, shaders);
    std::vector<int> sizes;
    for (int i = 1; i < argc; ++i)
        sizes.push_back(std::atoi(argv[i]));
    if (sizes.empty()) sizes = {12, 16};
    for (const int log : sizes) {
        Words words(std::size_t{1} << log);
        std::uint32_t state = 12345;
        for (std::uint32_t& word : words) {
            state = state * 747796405u + 2891336453u; // O'Neill's pcg
            const std::uint32_t mixed = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
            word = (mixed >> 22) ^ mixed;
        }
        auto bytes = std::make_shared<std::vector<std::byte>>(words.size() * 4);
        std::memcpy(bytes->data(), words.data(), bytes->size());
        for (const Case& c : cases())
            bench.measure(c, bytes, words);
    }
    return 0;
}

} // namespace
} // namespace tuff::bench

int main(int argc, char** argv) {
    return tuff::bench::run(argc, argv);
}
