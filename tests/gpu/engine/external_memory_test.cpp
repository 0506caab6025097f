// Memory and semaphores that two devices share.

#include "external_fixture.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace tuff::testing_gpu {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::uint32_t kOddWords = 10'007;
constexpr BufferDesc kOddBuffer{.size = 4 * kOddWords, .stride = 4};

TEST_F(ExternalTest, WordsThatOneDeviceHasWrittenAreReadOnAnother) {
    const ExternalBuffer here = taken(ExternalBuffer::create(device(), kOddBuffer));
    const ExternalBuffer there = on_other(here);
    EXPECT_EQ(there.info().desc, kOddBuffer);
    Executor writer = executor_on(device(), counting(kOddBuffer));
    Executor reader = executor_on(other(), copying(kOddBuffer));
    ASSERT_TRUE(bind_import(writer, "words", here));
    ASSERT_TRUE(bind_import(reader, "words", there));
    for (std::uint32_t round = 1; round <= 3; ++round) {
        auto written = execute(writer, {.resources = {&here}});
        ASSERT_TRUE(written) << to_string(written.error());
        auto read = execute(reader, {.resources = {&there}});
        ASSERT_TRUE(read) << to_string(read.error());
        EXPECT_EQ(words(reader, "copy"), counted(kOddWords, round));
    }
}

TEST_F(ExternalTest, WhatTheSecondDeviceWritesTheFirstReads) {
    const ExternalBuffer here = taken(ExternalBuffer::create(device(), kOddBuffer));
    const ExternalBuffer there = on_other(here);
    Executor writer = executor_on(other(), counting(kOddBuffer));
    Executor reader = executor_on(device(), copying(kOddBuffer));
    ASSERT_TRUE(bind_import(writer, "words", there));
    ASSERT_TRUE(bind_import(reader, "words", here));
    ASSERT_TRUE(execute(writer, {.resources = {&there}}));
    ASSERT_TRUE(execute(reader, {.resources = {&here}}));
    EXPECT_EQ(words(reader, "copy"), counted(kOddWords, 1));
}

TEST_F(ExternalTest, WhatHostNodesHaveWrittenIsThereWhenTheCallReturns) {
    const ExternalBuffer here = taken(ExternalBuffer::create(device(), kWords));
    const ExternalBuffer there = on_other(here);
    Graph g = graph();
    auto node = g.host("slow", [round = 0u](const HostBuffers& buffers) mutable -> Result<void> {
        usleep(20'000); // so that the device would get ahead
        ++round;
        for (std::size_t i = 0; i < buffers.written[0].size(); i += 4)
            std::memcpy(&buffers.written[0][i], &round, 4);
        return {};
    });
    const Buffer made = node.write(g.buffer("made", kWords));
    (void)g.copy(made, g.import_buffer("words", kWords, external_state()));
    Executor writer = executor_on(device(), std::move(g));
    Executor reader = executor_on(other(), copying(kWords));
    ASSERT_TRUE(bind_import(writer, "words", here));
    ASSERT_TRUE(bind_import(reader, "words", there));
    for (std::uint32_t round = 1; round <= 3; ++round) {
        ASSERT_TRUE(execute(writer, {.resources = {&here}}));
        ASSERT_TRUE(execute(reader, {.resources = {&there}}));
        EXPECT_THAT(words(reader, "copy"), Each(round));
    }
}

class ExternalImageTest : public ExternalTest, public testing::WithParamInterface<ImageDesc> {};

TEST_P(ExternalImageTest, TexelsThatOneDeviceHasWrittenAreReadOnAnother) {
    const ImageDesc& desc = GetParam();
    for (const Layout layout : {Layout::general, Layout::shader_read_only}) {
        const ExternalImage here =
            taken(ExternalImage::create(device(), desc, kExternalImageUsage, layout));
        const ExternalImage there = on_other(here);
        EXPECT_EQ(there.info().desc, desc);
        Graph writes = graph();
        // Each layer of each mip has a value of its own.
        Image picture = writes.import_image("picture", desc, external_state(layout));
        for (std::uint32_t mip = 0; mip < desc.mips; ++mip)
            for (std::uint32_t layer = 0; layer < desc.layers; ++layer) {
                const float value =
                    0.25f * static_cast<float>(1 + mip) + 0.0625f * static_cast<float>(layer);
                picture = writes.clear(ImageView(picture).mip(mip).layer(layer),
                                       std::array{value, value, value, 1.0f});
            }
        Graph reads = graph();
        const Image source = reads.import_image("picture", desc, external_state(layout));
        reads.output("copy", reads.copy(source, reads.image("copy", desc)));
        Executor writer = executor_on(device(), std::move(writes));
        Executor reader = executor_on(other(), std::move(reads));
        ASSERT_TRUE(bind_import(writer, "picture", here));
        ASSERT_TRUE(bind_import(reader, "picture", there));
        for (int round = 0; round < 2; ++round) {
            ASSERT_TRUE(execute(writer, {.resources = {&here}}));
            ASSERT_TRUE(execute(reader, {.resources = {&there}}));
        }
        for (std::uint32_t mip = 0; mip < desc.mips; ++mip)
            for (std::uint32_t layer = 0; layer < desc.layers; ++layer) {
                const auto image = reader.read_image("copy", mip, layer);
                ASSERT_TRUE(image) << to_string(image.error());
                const float value =
                    0.25f * static_cast<float>(1 + mip) + 0.0625f * static_cast<float>(layer);
                const Extent extent = mip_extent(desc.extent, mip);
                for (std::uint32_t y = 0; y < extent.height; ++y)
                    for (std::uint32_t x = 0; x < extent.width; ++x)
                        ASSERT_EQ(image->texel(x, y)[0], value) << mip << " " << layer;
            }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Descriptions, ExternalImageTest,
    testing::Values(
        ImageDesc{.format = Format::r32_sfloat, .extent = {5, 3}},
        ImageDesc{.format = Format::rgba16_sfloat, .extent = {19, 7}, .mips = 3},
        ImageDesc{.format = Format::rgba32_sfloat,
                  .extent = {4, 6},
                  .layers = 3,
                  .shape = ImageShape::d2_array},
        ImageDesc{.format = Format::r32_sfloat, .extent = {5, 4, 3}, .shape = ImageShape::d3}));

TEST_F(ExternalTest, ASemaphoreOrdersExecutionsOfTwoDevices) {
    const ExternalCaps caps = external_caps(device());
    if (!caps.binary_semaphores) {
        EXPECT_THAT(codes(ExternalSemaphore::create(device(), SemaphoreKind::binary)),
                    ElementsAre("gpu/no-external-semaphore"));
        return;
    }
    const ExternalSemaphore signals =
        taken(ExternalSemaphore::create(device(), SemaphoreKind::binary));
    const ExternalSemaphore waits =
        taken(ExternalSemaphore::open(other(), signals.info(), taken(signals.export_semaphore())));
    const ExternalSemaphore back = taken(ExternalSemaphore::create(other(), SemaphoreKind::binary));
    const ExternalSemaphore back_here =
        taken(ExternalSemaphore::open(device(), back.info(), taken(back.export_semaphore())));
    constexpr BufferDesc kLarge{.size = 4 * 1'000'003, .stride = 4}; // takes its time
    const ExternalBuffer here = taken(ExternalBuffer::create(device(), kLarge));
    const ExternalBuffer there = on_other(here);
    Executor writer = executor_on(device(), counting(kLarge));
    Executor reader = executor_on(other(), copying(kLarge));
    ASSERT_TRUE(bind_import(writer, "words", here));
    ASSERT_TRUE(bind_import(reader, "words", there));
    for (std::uint32_t round = 1; round <= 3; ++round) {
        ExternalUse writes{.resources = {&here}, .signal = {{.semaphore = &signals}}};
        if (round > 1) writes.wait = {{.semaphore = &back_here}};
        ASSERT_TRUE(execute(writer, writes));
        ASSERT_TRUE(execute(reader, {.resources = {&there},
                                     .wait = {{.semaphore = &waits}},
                                     .signal = {{.semaphore = &back}}}));
        EXPECT_EQ(words(reader, "copy"), counted(1'000'003, round));
    }
    // What was signalled last is waited for, too.
    ASSERT_TRUE(execute(writer, {.resources = {&here}, .wait = {{.semaphore = &back_here}}}));
}

TEST_F(ExternalTest, ATimelineIsSharedOrRefused) {
    const auto made = ExternalSemaphore::create(device(), SemaphoreKind::timeline);
    if (!external_caps(device()).timeline_semaphores) {
        EXPECT_THAT(codes(made), ElementsAre("gpu/no-external-semaphore"));
        return;
    }
    ASSERT_TRUE(made) << to_string(made.error());
    const ExternalSemaphore there =
        taken(ExternalSemaphore::open(other(), made->info(), taken(made->export_semaphore())));
    const ExternalBuffer buffer = taken(ExternalBuffer::create(device(), kWords));
    const ExternalBuffer copy = on_other(buffer);
    Executor writer = executor_on(device(), counting(kWords));
    Executor reader = executor_on(other(), copying(kWords));
    ASSERT_TRUE(bind_import(writer, "words", buffer));
    ASSERT_TRUE(bind_import(reader, "words", copy));
    ASSERT_TRUE(
        execute(writer, {.resources = {&buffer}, .signal = {{.semaphore = &*made, .value = 7}}}));
    ASSERT_TRUE(
        execute(reader, {.resources = {&copy}, .wait = {{.semaphore = &there, .value = 7}}}));
    EXPECT_EQ(words(reader, "copy"), counted(4, 1));
}

TEST_F(ExternalTest, MemoryOfOtherDevicesAndSizesIsRefused) {
    const ExternalBuffer buffer = taken(ExternalBuffer::create(device(), kOddBuffer));
    const std::ptrdiff_t descriptors = open_descriptors();
    const auto refused = [&](const char* why, auto&& change) {
        ExternalBufferInfo info = buffer.info();
        change(info);
        const auto opened = ExternalBuffer::open(other(), info, taken(buffer.export_memory()));
        ASSERT_FALSE(opened) << why;
        EXPECT_THAT(codes(opened), ElementsAre("gpu/external-mismatch")) << why;
        EXPECT_THAT(to_string(opened.error()), HasSubstr(why));
    };
    refused("of another device than", [](ExternalBufferInfo& i) { ++i.memory.identity.device[3]; });
    refused("of another driver", [](ExternalBufferInfo& i) { ++i.memory.identity.driver[15]; });
    refused("are to hold", [](ExternalBufferInfo& i) { i.memory.bytes = i.desc.size / 2; });
    refused("are to hold", [](ExternalBufferInfo& i) { i.desc.size += i.memory.bytes; });
    refused("are to hold", [](ExternalBufferInfo& i) { i.memory.offset = 1; });
    refused("its info says", [](ExternalBufferInfo& i) { i.memory.bytes += 1u << 24; });
    refused("its info says", [](ExternalBufferInfo& i) {
        i.memory.bytes += 1u << 24;
        i.desc.size += 1u << 24;
    });
    refused("are to hold", [](ExternalBufferInfo& i) { i.desc.size = kMaxResourceBytes; });
    refused("of type 31", [](ExternalBufferInfo& i) { i.memory.type = 31; });
    refused("of type 77", [](ExternalBufferInfo& i) { i.memory.type = 77; });
    refused("the usage", [](ExternalBufferInfo& i) { i.usage = 0; });
    refused("the usage", [](ExternalBufferInfo& i) { i.usage = ~0u; });
    refused("a buffer of 0 bytes", [](ExternalBufferInfo& i) { i.desc.size = 0; });
    EXPECT_EQ(open_descriptors(), descriptors); // all of them were closed
}

TEST_F(ExternalTest, DescriptorsOfSomethingElseAreRefused) {
    const ExternalBuffer buffer = taken(ExternalBuffer::create(device(), kOddBuffer));
    const std::ptrdiff_t descriptors = open_descriptors();
    EXPECT_THAT(codes(ExternalBuffer::open(other(), buffer.info(), FileDescriptor())),
                ElementsAre("gpu/external-mismatch"));
    int ends[2] = {-1, -1};
    ASSERT_EQ(pipe(ends), 0);
    close(ends[1]);
    EXPECT_FALSE(ExternalBuffer::open(other(), buffer.info(), FileDescriptor(ends[0])));
    EXPECT_EQ(open_descriptors(), descriptors);
}

TEST_F(ExternalTest, ImagesThatCannotBeAreRefused) {
    const ImageDesc desc{.format = Format::r32_sfloat, .extent = {8, 8}};
    const ExternalImage image = taken(ExternalImage::create(device(), desc));
    const auto refused = [&](auto&& change) {
        ExternalImageInfo info = image.info();
        change(info);
        const auto opened = ExternalImage::open(other(), info, taken(image.export_memory()));
        EXPECT_FALSE(opened);
        return opened ? std::string() : opened.error()[0].code;
    };
    const char* const mismatch = "gpu/external-mismatch";
    EXPECT_EQ(refused([](ExternalImageInfo& i) { i.desc.format = Format(7777); }), mismatch);
    EXPECT_EQ(refused([](ExternalImageInfo& i) { i.desc.extent.width = 0; }), mismatch);
    EXPECT_EQ(refused([](ExternalImageInfo& i) { i.desc.mips = 9; }), mismatch);
    EXPECT_EQ(refused([](ExternalImageInfo& i) { i.desc.layers = 0; }), mismatch);
    EXPECT_EQ(refused([](ExternalImageInfo& i) { i.desc.samples = 4; }), mismatch);
    EXPECT_EQ(refused([](ExternalImageInfo& i) { i.desc.shape = ImageShape(9); }), mismatch);
    EXPECT_EQ(refused([](ExternalImageInfo& i) { i.layout = Layout::undefined; }), mismatch);
    EXPECT_EQ(refused([](ExternalImageInfo& i) { i.layout = Layout::color_attachment; }), mismatch);
    EXPECT_EQ(refused([](ExternalImageInfo& i) { i.usage = usage::kIndex; }), mismatch);
    EXPECT_EQ(refused([](ExternalImageInfo& i) { i.desc.extent = {800, 800}; }), mismatch);
    EXPECT_EQ(refused([](ExternalImageInfo& i) { i.desc.extent.width = 1u << 30; }),
              "gpu/unsupported-format");
}

TEST_F(ExternalTest, TheMemoryOutlivesTheOneThatMadeIt) {
    std::optional<ExternalBuffer> there;
    FileDescriptor kept;
    ExternalBufferInfo info;
    {
        const ExternalBuffer here = taken(ExternalBuffer::create(device(), kOddBuffer));
        there = on_other(here);
        kept = taken(here.export_memory());
        info = here.info();
        Executor writer = executor_on(device(), counting(kOddBuffer));
        ASSERT_TRUE(bind_import(writer, "words", here));
        ASSERT_TRUE(execute(writer, {.resources = {&here}}));
    }
    const auto read = [&](const ExternalBuffer& buffer) {
        Executor reader = executor_on(other(), copying(kOddBuffer));
        EXPECT_TRUE(bind_import(reader, "words", buffer));
        EXPECT_TRUE(execute(reader, {.resources = {&buffer}}));
        EXPECT_EQ(words(reader, "copy"), counted(kOddWords, 1));
    };
    read(*there);
    there.reset();
    read(taken(ExternalBuffer::open(other(), info, std::move(kept))));
}

TEST_F(ExternalTest, TheMakerGoesOnWithoutTheOther) {
    const ExternalBuffer here = taken(ExternalBuffer::create(device(), kOddBuffer));
    {
        const ExternalBuffer there = on_other(here);
        Executor writer = executor_on(other(), counting(kOddBuffer));
        ASSERT_TRUE(bind_import(writer, "words", there));
        ASSERT_TRUE(execute(writer, {.resources = {&there}}));
    }
    Executor reader = executor_on(device(), copying(kOddBuffer));
    ASSERT_TRUE(bind_import(reader, "words", here));
    ASSERT_TRUE(execute(reader, {.resources = {&here}}));
    EXPECT_EQ(words(reader, "copy"), counted(kOddWords, 1));
}

TEST_F(ExternalTest, AnExchangedBufferIsForgottenBeforeItEnds) {
    Executor writer = executor_on(device(), counting(kWords));
    for (std::uint32_t round = 1; round <= 3; ++round) {
        const ExternalBuffer here = taken(ExternalBuffer::create(device(), kWords));
        const ExternalBuffer there = on_other(here);
        ASSERT_TRUE(bind_import(writer, "words", here));
        ASSERT_TRUE(execute(writer, {.resources = {&here}}));
        Executor reader = executor_on(other(), copying(kWords));
        ASSERT_TRUE(bind_import(reader, "words", there));
        ASSERT_TRUE(execute(reader, {.resources = {&there}}));
        EXPECT_EQ(words(reader, "copy"), counted(4, round));
        forget_import(writer, here);
    }
    EXPECT_THAT(codes(execute(writer, ExternalUse{})), ElementsAre("gpu/import-missing"));
}

TEST_F(ExternalTest, ResourcesOfAnotherDeviceOrSizeAreRefused) {
    const ExternalBuffer here = taken(ExternalBuffer::create(device(), kWords));
    const ExternalBuffer there = on_other(here);
    const ExternalBuffer small = taken(ExternalBuffer::create(device(), {.size = 4}));
    Executor executor = executor_on(device(), counting(kOddBuffer));
    EXPECT_THAT(codes(bind_import(executor, "words", there)), ElementsAre("gpu/external-mismatch"));
    EXPECT_THAT(codes(bind_import(executor, "words", small)), ElementsAre("gpu/import-mismatch"));
    EXPECT_THAT(codes(bind_import(executor, "other", here)), ElementsAre("gpu/unknown-import"));
    EXPECT_THAT(codes(execute(executor, {.resources = {&there}})),
                ElementsAre("gpu/external-mismatch"));
    EXPECT_THAT(codes(execute(executor, {.resources = {nullptr}})),
                ElementsAre("gpu/external-mismatch"));
    EXPECT_THAT(codes(execute(executor, {.wait = {{}}})), ElementsAre("gpu/external-mismatch"));
}

TEST_F(ExternalTest, BothDevicesReportOneIdentity) {
    const ExternalCaps here = external_caps(device());
    EXPECT_EQ(here.identity, external_caps(other()).identity);
    EXPECT_NE(here.identity, DeviceIdentity());
    const auto reports = list_devices();
    ASSERT_TRUE(reports) << to_string(reports.error());
    for (const DeviceReport& report : *reports) {
        if (report.caps.name != device().caps().name) continue;
        const auto has = [&](std::string_view name) {
            return std::ranges::any_of(report.optional_present,
                                       [&](const DeviceFeature& f) { return f.name == name; });
        };
        EXPECT_TRUE(has("VK_KHR_external_memory_fd"));
        EXPECT_EQ(has("VK_KHR_external_semaphore_fd"), here.binary_semaphores);
    }
}

TEST_F(ExternalTest, ADeviceWithoutTheExtensionsSharesNothing) {
    HostDevice described = description();
    std::erase_if(described.extensions,
                  [](const std::string& name) { return name.contains("external"); });
    Device bare = adopted(described);
    const ExternalCaps caps = external_caps(bare);
    EXPECT_FALSE(caps.memory || caps.binary_semaphores || caps.timeline_semaphores);
    EXPECT_THAT(codes(ExternalBuffer::create(bare, kWords)), ElementsAre("gpu/no-external-memory"));
    EXPECT_THAT(codes(ExternalImage::create(bare, kPicture)),
                ElementsAre("gpu/no-external-memory"));
    EXPECT_THAT(codes(ExternalSemaphore::create(bare, SemaphoreKind::binary)),
                ElementsAre("gpu/no-external-semaphore"));
    Device full = adopted(description());
    EXPECT_TRUE(external_caps(full).memory);
    EXPECT_TRUE(ExternalBuffer::create(full, kWords));
}

} // namespace
} // namespace tuff::testing_gpu
