/* A C program that knows nothing but tuff/tuff.h and what pkg-config says: runs a config, reads its
 * results, and makes every sort of mistake. */
#include <tuff/tuff.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void expect(int holds, const char* what) {
    if (holds) return;
    fprintf(stderr, "does not hold: %s\n", what);
    ++failures;
}

/* Shows and forgets what went wrong. */
static void fail_with(const char* step, tuff_diagnostics** why) {
    fprintf(stderr, "%s: %s\n", step, tuff_diagnostics_text(*why));
    tuff_diagnostics_free(*why);
    *why = NULL;
    ++failures;
}

static const char kConfig[] =
    "{\"tuff\": 1, \"params\": {\"stops\": {\"default\": 0.0, \"range\": [-4, 4]}},\n"
    " \"assets\": {\"grey\": {\"generate\": \"checker\", \"size\": [8, 4], \"cell\": 8},\n"
    "             \"floor\": {\"scene\": [{\"plane\": [2, 2]}]}},\n"
    " \"nodes\": {\n"
    "  \"bright\": {\"pass\": \"image/tonemap\", \"in\": {\"source\": \"grey\"},\n"
    "             \"params\": {\"exposure\": \"$stops\", \"operator\": \"none\", \"encoding\": \"linear\",\n"
    "                        \"format\": \"rgba32_sfloat\"}},\n"
    "  \"numbers\": {\"pass\": \"primitives/map\", \"params\": {\"length\": 5, \"result_type\": \"u32\",\n"
    "              \"expression\": \"i * i\"}},\n"
    "  \"charge\": {\"pass\": \"primitives/map\", \"params\": {\"length\": 64, \"result_type\": \"f32\",\n"
    "             \"expression\": \"float(i % 7u)\"}},\n"
    "  \"field\": {\"pass\": \"solver/poisson\", \"in\": {\"rhs\": \"charge.result\"},\n"
    "            \"params\": {\"size\": [64, 1, 1], \"tolerance\": 1e-6, \"max_cycles\": 1,\n"
    "                       \"method\": \"jacobi\", \"boundary\": {\"x\": \"dirichlet\"}}},\n"
    "  \"triangles\": {\"pass\": \"geometry/triangles\", \"in\": {\"scene\": \"floor\"}},\n"
    "  \"fragments\": {\"pass\": \"geometry/capture_fragments\",\n"
    "                \"in\": {\"mesh\": \"triangles.mesh\", \"scene\": \"floor\"},\n"
    "                \"params\": {\"width\": 16, \"height\": 16, \"capacity\": 1,\n"
    "                           \"camera\": {\"mode\": \"free\", \"position\": [0, 4, 1]}}}},\n"
    " \"outputs\": {\"picture\": \"bright.result\", \"squares\": \"numbers.result\",\n"
    "             \"potential\": \"field.solution\", \"stored\": \"fragments.lists.count\"}}\n";

static void run(tuff_device* device, tuff_config* config) {
    tuff_diagnostics* why = NULL;
    tuff_graph* graph = tuff_graph_start(device, config, &why);
    if (!graph) {
        fail_with("tuff_graph_start", &why);
        return;
    }
    expect(tuff_graph_output_count(graph) == 4, "four outputs");
    expect(strcmp(tuff_graph_output_name(graph, 0), "picture") == 0, "the first is the picture");

    float first = 0.0f;
    for (int frame = 0; frame < 2; ++frame) {
        const tuff_frame now = {frame, frame / 60.0, 1.0 / 60.0};
        if (!tuff_graph_execute(graph, &now, &why)) fail_with("tuff_graph_execute", &why);
        tuff_picture picture;
        if (!tuff_graph_read_image(graph, "picture", &picture, &why)) {
            fail_with("tuff_graph_read_image", &why);
        } else {
            expect(picture.width == 8 && picture.height == 4 && picture.depth == 1, "its size");
            if (frame == 0) first = picture.texels[0];
            else expect(first > 0.1f && fabsf(picture.texels[0] - 0.5f * first) < 1e-5f,
                        "a stop less is half as bright");
            free(picture.texels);
        }
        if (!tuff_config_set(config, "stops", "-1", &why)) fail_with("tuff_config_set", &why);
    }

    void* bytes = NULL;
    size_t size = 0;
    if (!tuff_graph_read_buffer(graph, "squares", &bytes, &size, &why)) {
        fail_with("tuff_graph_read_buffer", &why);
    } else {
        const uint32_t expected[] = {0, 1, 4, 9, 16};
        expect(size == sizeof(expected) && memcmp(bytes, expected, size) == 0, "squares");
        free(bytes);
    }
    if (!tuff_graph_read_buffer(graph, "stored", &bytes, &size, &why)) {
        fail_with("tuff_graph_read_buffer", &why);
    } else {
        expect(size == 4 && *(const uint32_t*)bytes > 10, "the second frame has room for all");
        free(bytes);
    }
    tuff_diagnostics* warnings = tuff_graph_warnings(graph, &why);
    expect(tuff_diagnostics_count(warnings) == 2 &&
               strcmp(tuff_diagnostics_code(warnings, 0), "solver/not-converged") == 0,
           "the solver says that it has not converged");
    expect(strcmp(tuff_diagnostics_code(warnings, 1), "graph/pool-grown") == 0,
           "and that a pool has grown is told");
    expect(!tuff_diagnostics_is_error(warnings, 0), "which is a warning");
    tuff_diagnostics_free(warnings);

    expect(!tuff_graph_read_buffer(graph, "sqares", &bytes, &size, &why), "no such output");
    expect(strcmp(tuff_diagnostics_code(why, 0), "gpu/unknown-output") == 0, "its code");
    expect(strstr(tuff_diagnostics_hint(why, 0), "squares") != NULL, "its hint");
    tuff_diagnostics_free(why);
    why = NULL;
    expect(!tuff_config_set(config, "stops", "99", NULL), "out of range, and nobody asks why");
    expect(!tuff_graph_execute(NULL, NULL, &why), "null is no graph");
    expect(strcmp(tuff_diagnostics_code(why, 0), "c/null") == 0, "its code");
    tuff_diagnostics_free(why);
    why = NULL;
    if (!tuff_graph_wait(graph, &why)) fail_with("tuff_graph_wait", &why);
    tuff_graph_free(graph);
}

/* Inputs that this program writes before each frame. */
static void try_inputs(tuff_device* device) {
    static const char kInputs[] =
        "{\"tuff\": 1, \"inputs\": {\"numbers\": \"Buffer\", \"picture\": \"Image\"},\n"
        " \"nodes\": {\"sum\": {\"pass\": \"primitives/reduce\", \"in\": {\"source\": \"numbers\"},\n"
        "                   \"params\": {\"type\": \"f32\"}}},\n"
        " \"outputs\": {\"sum\": \"sum.result\", \"same\": \"picture\"}}\n";
    tuff_diagnostics* why = NULL;
    tuff_config* config = tuff_config_parse(kInputs, "inputs.json", &why);
    tuff_graph* graph = config ? tuff_graph_start(device, config, &why) : NULL;
    if (!graph) {
        fail_with("a config with inputs", &why);
        tuff_config_free(config);
        return;
    }
    tuff_frame now = {0, 0.0, 0.0};
    void* bytes = NULL;
    size_t size = 0;
    expect(tuff_graph_output_count(graph) == 2, "outputs are known before");
    expect(!tuff_graph_read_buffer(graph, "sum", &bytes, &size, &why), "nothing has run");
    expect(strcmp(tuff_diagnostics_code(why, 0), "c/not-executed") == 0, "its code");
    tuff_diagnostics_free(why);
    why = NULL;
    expect(!tuff_graph_execute(graph, &now, &why), "inputs are open");
    expect(strcmp(tuff_diagnostics_code(why, 0), "config/unconnected-input") == 0, "its code");
    tuff_diagnostics_free(why);
    why = NULL;

    for (int frame = 0; frame < 3; ++frame) {
        float numbers[700];
        float wanted = 0.0f;
        for (int i = 0; i < 700; ++i) wanted += numbers[i] = (float)((i + frame) % 5);
        const unsigned char dot[4] = {(unsigned char)(255 * (frame % 2)), 0, 255, 255};
        const tuff_texels texels = {1, 1, 1, "rgba8_unorm", dot};
        now.index = frame;
        tuff_picture picture = {0};
        if (!tuff_graph_write_buffer(graph, "numbers", numbers, sizeof(numbers), 4, &why) ||
            !tuff_graph_write_image(graph, "picture", &texels, &why) ||
            !tuff_graph_execute(graph, &now, &why) ||
            !tuff_graph_read_buffer(graph, "sum", &bytes, &size, &why) ||
            !tuff_graph_read_image(graph, "same", &picture, &why)) {
            fail_with("a frame of written inputs", &why);
            continue;
        }
        expect(size == 4 && *(const float*)bytes == wanted, "the sum of this frame's numbers");
        expect(picture.texels[0] == (float)(frame % 2), "this frame's picture");
        free(bytes);
        free(picture.texels);
    }
    const float one = 1.0f;
    const tuff_texels nothing = {0, 1, 1, "rgba8_unorm", &one};
    const tuff_texels odd = {1, 1, 1, "rgb9", &one};
    expect(!tuff_graph_write_buffer(graph, "number", &one, 4, 4, NULL), "no such input");
    expect(!tuff_graph_write_buffer(graph, "numbers", &one, 4, 3, NULL), "no whole elements");
    expect(!tuff_graph_write_buffer(graph, "picture", &one, 4, 4, NULL), "an image");
    expect(!tuff_graph_write_image(graph, "picture", &nothing, NULL), "no texels");
    expect(!tuff_graph_write_image(graph, "picture", &odd, NULL), "no format");
    now.index = 3;
    if (!tuff_graph_execute(graph, &now, &why)) fail_with("inputs stay as they were", &why);
    tuff_graph_free(graph);
    tuff_config_free(config);
}

/* A picture of frames that fade, of which each takes a tenth. */
static const char kFade[] =
    "{\"tuff\": 1, \"size\": [8, 8],\n"
    " \"assets\": {\"rings\": {\"generate\": \"zone_plate\", \"size\": [8, 8]}},\n"
    " \"history\": {\"past\": {\"from\": \"blend.result\", \"format\": \"rgba32_sfloat\", \"size\": [8, 8]}},\n"
    " \"nodes\": {\n"
    "  \"now\": {\"pass\": \"image/map\", \"in\": {\"source\": \"rings\"},\n"
    "          \"params\": {\"expression\": \"x * p.x\", \"p\": [\"$time\", 0, 0, 0]}},\n"
    "  \"blend\": {\"pass\": \"image/map\", \"in\": {\"source\": \"now.result\", \"other\": \"past\"},\n"
    "            \"params\": {\"expression\": \"mix(y, x, 0.1)\", \"format\": \"rgba32_sfloat\"}}},\n"
    " \"outputs\": {\"picture\": \"blend.result\"}}\n";

/* Runs frames `first` up to `end`; the picture of the last one. */
static tuff_picture fade(tuff_graph* graph, int first, int end) {
    tuff_diagnostics* why = NULL;
    tuff_picture picture = {0};
    for (int frame = first; frame < end; ++frame) {
        const tuff_frame now = {frame, frame / 10.0, 0.1};
        if (!tuff_graph_execute(graph, &now, &why)) fail_with("tuff_graph_execute", &why);
    }
    if (!tuff_graph_read_image(graph, "picture", &picture, &why))
        fail_with("tuff_graph_read_image", &why);
    return picture;
}

/* What a graph leaves goes on in another one. */
static void keep_state(tuff_device* device) {
    tuff_diagnostics* why = NULL;
    tuff_config* config = tuff_config_parse(kFade, "fade.json", &why);
    tuff_graph* one = tuff_graph_start(device, config, &why);
    tuff_graph* other = tuff_graph_start(device, config, &why);
    if (!one || !other) {
        fail_with("tuff_graph_start", &why);
        return;
    }
    expect(!tuff_graph_save_state(one, "state", &why), "nothing has run");
    expect(strcmp(tuff_diagnostics_code(why, 0), "gpu/not-executed") == 0, "its code");
    tuff_diagnostics_free(why);
    why = NULL;
    expect(!tuff_graph_load_state(one, "no such state", NULL, &why), "there is none");
    expect(strcmp(tuff_diagnostics_code(why, 0), "checkpoint/none") == 0, "its code");
    tuff_diagnostics_free(why);
    why = NULL;

    free(fade(one, 0, 3).texels);
    for (int i = 0; i < 2; ++i) /* the second replaces the first */
        if (!tuff_graph_save_state(one, "state", &why)) fail_with("tuff_graph_save_state", &why);
    FILE* file = fopen("state.txt", "w");
    if (file) fclose(file);
    expect(!tuff_graph_save_state(one, "state.txt", &why), "a file is no folder");
    expect(strcmp(tuff_diagnostics_code(why, 0), "checkpoint/unwritable") == 0, "its code");
    tuff_diagnostics_free(why);
    why = NULL;
    expect(remove("state.txt") == 0, "the file is still there");
    tuff_picture expected = fade(one, 3, 6);
    tuff_frame last = {0};
    free(fade(other, 0, 1).texels);
    if (!tuff_graph_load_state(other, "state", &last, &why)) fail_with("tuff_graph_load_state", &why);
    expect(last.index == 2 && last.time == 0.2 && last.step == 0.1, "the frame that ran last");
    tuff_picture picture = fade(other, 3, 6);
    const size_t bytes = (size_t)expected.width * expected.height * 4 * sizeof(float);
    expect(bytes == 8 * 8 * 4 * sizeof(float) && expected.texels[0] > 0.0f, "a picture");
    expect(memcmp(picture.texels, expected.texels, bytes) == 0, "that of the run that went on");
    free(picture.texels);
    free(expected.texels);
    tuff_graph_free(one);
    tuff_graph_free(other);
    tuff_config_free(config);
}

/* A user's module, whose pass no config knows before it is loaded. */
static void try_modules(const char* module) {
    static const char kDark[] =
        "{\"tuff\": 1, \"size\": [8, 8],\n"
        " \"assets\": {\"rings\": {\"generate\": \"zone_plate\", \"size\": [8, 8]}},\n"
        " \"nodes\": {\"dark\": {\"pass\": \"example/vignette\", \"in\": {\"source\": \"rings\"}}},\n"
        " \"outputs\": {\"picture\": \"dark.result\"}}\n";
    tuff_diagnostics* why = NULL;
    expect(!tuff_config_parse(kDark, "dark.json", &why), "a pass that nobody knows");
    expect(strcmp(tuff_diagnostics_code(why, 0), "config/unknown-pass") == 0, "its code");
    tuff_diagnostics_free(why);
    why = NULL;
    expect(!tuff_module_load("/dev/null", &why), "no module");
    expect(strncmp(tuff_diagnostics_code(why, 0), "module/", 7) == 0, "its code");
    tuff_diagnostics_free(why);
    why = NULL;
    for (int i = 0; i < 2; ++i)
        if (!tuff_module_load(module, &why)) fail_with("tuff_module_load", &why);
    const char* const select = getenv("TUFF_DEVICE");
    tuff_device* device = tuff_device_open(select ? select : "auto", 1, &why);
    tuff_config* config = tuff_config_parse(kDark, "dark.json", &why);
    if (!config) fail_with("tuff_config_parse", &why);
    tuff_graph* graph = device && config ? tuff_graph_start(device, config, &why) : NULL;
    const tuff_frame now = {0, 0.0, 0.0};
    tuff_picture picture = {0};
    if (!graph || !tuff_graph_execute(graph, &now, &why) ||
        !tuff_graph_read_image(graph, "picture", &picture, &why))
        fail_with("a module's pass", &why);
    else expect(picture.texels[0] < picture.texels[4 * (8 * 3 + 3)], "corners are darker");
    free(picture.texels);
    tuff_graph_free(graph);
    tuff_config_free(config);
    tuff_device_close(device);
}

int main(int count, char** arguments) {
    tuff_diagnostics* why = NULL;
    if (count > 1) try_modules(arguments[1]);
    expect(strncmp(tuff_version(), "0.", 2) == 0, "the version");
    expect(!tuff_config_parse("{\"tuff\": 1, \"nodes\": 3}", "bad.json", &why), "a bad config");
    expect(tuff_diagnostics_count(why) > 0, "why");
    expect(strstr(tuff_diagnostics_text(why), "bad.json:1") != NULL, "and where");
    tuff_diagnostics_free(why);
    why = NULL;
    tuff_graph_free(NULL);
    tuff_config_free(NULL);
    tuff_device_close(NULL);
    tuff_diagnostics_free(NULL);

    const char* const select = getenv("TUFF_DEVICE");
    tuff_device* device = tuff_device_open(select ? select : "auto", 1, &why);
    if (!device) fail_with("tuff_device_open", &why);
    tuff_config* config = tuff_config_parse(kConfig, "plain.json", &why);
    if (!config) fail_with("tuff_config_parse", &why);
    if (device && config) run(device, config);
    if (device) try_inputs(device);
    if (device) keep_state(device);
    expect(tuff_device_message_count(device) == 0, "the validation layer has nothing to say");
    tuff_config_free(config);
    tuff_device_close(device);
    return failures == 0 ? 0 : 1;
}
