/** @file
 * Tuff for C, and for every language that calls C: runs configs on a device of its own or of the
 * host's. Graphs are configs here; passes of one's own are modules, written in C++.
 *
 *     tuff_diagnostics* why = NULL;
 *     tuff_device* device = tuff_device_open("auto", 0, &why);
 *     tuff_config* config = tuff_config_load("scene.json", &why);
 *     tuff_graph* graph = tuff_graph_start(device, config, &why);
 *     tuff_frame frame = {0, 0.0, 1.0 / 60.0};
 *     tuff_graph_execute(graph, &frame, &why);
 *     tuff_picture picture;
 *     tuff_graph_read_image(graph, "picture", &picture, &why);
 *
 * What can fail returns null or 0 then, and where `why` is not null hands out what is wrong, to be
 * freed by the caller; `*why` is left alone where nothing fails. Objects are freed in the order
 * graph, config, device, or at any time where they are null. An object is used by one thread at a
 * time; different objects by different threads. Texts are UTF-8 and belong to the object that
 * returned them. */
#ifndef TUFF_TUFF_H
#define TUFF_TUFF_H

#include <tuff/version.h>

#include <stddef.h>
#include <stdint.h>

/** @cond */
#if defined(_WIN32)
#define TUFF_API
#else
#define TUFF_API __attribute__((visibility("default")))
#endif
/** @endcond */

#ifdef __cplusplus
extern "C" {
#endif

/* --- what went wrong --------------------------------------------------------------------------*/
/** Errors and warnings, in the order in which they were found. */
typedef struct tuff_diagnostics tuff_diagnostics;

/** How many there are; 0 of null. */
TUFF_API size_t tuff_diagnostics_count(const tuff_diagnostics* diagnostics);
/** Stable across releases: "config/unknown-pass". */
TUFF_API const char* tuff_diagnostics_code(const tuff_diagnostics* diagnostics, size_t index);
/** One sentence that names what is wrong; empty beyond the last, as are all texts. */
TUFF_API const char* tuff_diagnostics_message(const tuff_diagnostics* diagnostics, size_t index);
/** What to do about it; may be empty. */
TUFF_API const char* tuff_diagnostics_hint(const tuff_diagnostics* diagnostics, size_t index);
/** 1: an error, 0: a warning. */
TUFF_API int tuff_diagnostics_is_error(const tuff_diagnostics* diagnostics, size_t index);
/** All of them, as a terminal shows them, with places in configs. */
TUFF_API const char* tuff_diagnostics_text(const tuff_diagnostics* diagnostics);
/** Ends them; nothing of null. */
TUFF_API void tuff_diagnostics_free(tuff_diagnostics* diagnostics);

/** "0.1.0", of the library; TUFF_VERSION_MAJOR and so on are those of the headers. */
TUFF_API const char* tuff_version(void);

/* --- passes of one's own ----------------------------------------------------------------------*/
/** Loads a module that `tuff_add_module` has made: configs and devices know its passes and kernels
 * from then on, as they know Tuff's own. Modules stay loaded until the program ends; a file that is
 * loaded already is no mistake. Any thread may call it. */
TUFF_API int tuff_module_load(const char* file, tuff_diagnostics** why);

/* --- devices ----------------------------------------------------------------------------------*/
/** An open Vulkan device. */
typedef struct tuff_device tuff_device;

/** `select`: "auto", "gpu", "swiftshader", "lavapipe", an index or a part of the name; null is
 * "auto". With `validation` the Khronos layer looks on. */
TUFF_API tuff_device* tuff_device_open(const char* select, int validation, tuff_diagnostics** why);
/** As the driver says it. */
TUFF_API const char* tuff_device_name(const tuff_device* device);
/** Messages of the validation layer so far, and what Tuff had to say where no call could return it.
 * Tuff itself prints nothing. */
TUFF_API size_t tuff_device_message_count(const tuff_device* device);
/** Stays until the next count. */
TUFF_API const char* tuff_device_message(const tuff_device* device, size_t index);
/** Ends it, after its graphs; of an adopted one the host's handles stay. */
TUFF_API void tuff_device_close(tuff_device* device);

/* --- configs ----------------------------------------------------------------------------------*/
/** A config that was read and checked. */
typedef struct tuff_config tuff_config;

/** Reads and checks a file; all mistakes are told, each with its place. */
TUFF_API tuff_config* tuff_config_load(const char* path, tuff_diagnostics** why);
/** The same for a text; `file_name` stands for it in messages, and files that it names are looked
 * for in the folder of that. */
TUFF_API tuff_config* tuff_config_parse(const char* text, const char* file_name,
                                        tuff_diagnostics** why);
/** Replaces a parameter, or "width" or "height"; `value` as in JSON, texts without quotes. Graphs
 * that have been started see it from their next frame on. */
TUFF_API int tuff_config_set(tuff_config* config, const char* name, const char* value,
                             tuff_diagnostics** why);
/** Ends it, after its graphs. */
TUFF_API void tuff_config_free(tuff_config* config);

/* --- running graphs ---------------------------------------------------------------------------*/
/** A config that runs on a device. */
typedef struct tuff_graph tuff_graph;

/** Where an animation stands: "$frame", "$time" and "$dt". */
typedef struct tuff_frame {
    int64_t index; /**< number, from 0 */
    double time;   /**< seconds */
    double step;   /**< seconds since the frame before */
} tuff_frame;

/** Builds the config's graph and compiles it for the device, which must outlive it, as must the
 * config. Where the config has inputs that nothing stands for yet, that waits for the first
 * execution. */
TUFF_API tuff_graph* tuff_graph_start(tuff_device* device, tuff_config* config,
                                      tuff_diagnostics** why);
/** Texels as a graph takes them. */
typedef struct tuff_texels {
    uint32_t width;     /**< texels */
    uint32_t height;    /**< texels */
    uint32_t depth;     /**< texels; 0 or 1 of flat images */
    const char* format; /**< as configs write it: "rgba8_unorm" */
    const void* bytes;  /**< row by row from the top, without gaps */
} tuff_texels;
/** What the config's input of type Image holds from the next execution on. The texels are copied. As
 * long as size and format stay the same, nothing is compiled. */
TUFF_API int tuff_graph_write_image(tuff_graph* graph, const char* input, const tuff_texels* texels,
                                    tuff_diagnostics** why);
/** The same for an input of type Buffer: `size` bytes, in elements of `element` bytes, such as 4 for
 * floats. */
TUFF_API int tuff_graph_write_buffer(tuff_graph* graph, const char* input, const void* bytes,
                                     size_t size, uint32_t element, tuff_diagnostics** why);
/** Submits one execution. Where the frame differs in more than numbers, the graph is compiled again:
 * histories that are as they were go on, others begin again, which `tuff_graph_warnings` tells. */
TUFF_API int tuff_graph_execute(tuff_graph* graph, const tuff_frame* frame, tuff_diagnostics** why);
/** Blocks until everything submitted has finished. */
TUFF_API int tuff_graph_wait(tuff_graph* graph, tuff_diagnostics** why);

/** Writes what the last execution has left for the next, as a checkpoint that `tuff run --resume`
 * takes as well: a folder with a manifest and a file for each history. A checkpoint of that name is
 * replaced once all of the new one is on the disk; anything else stays, and is an error. Waits for the
 * work submitted. */
TUFF_API int tuff_graph_save_state(tuff_graph* graph, const char* folder, tuff_diagnostics** why);
/** Goes on after a checkpoint of the same config: one that `tuff_graph_save_state` has written, or
 * the newest in a folder of `tuff run`. `*frame`, where `frame` is not null, is the frame that had
 * run last. All files are checked before anything changes. */
TUFF_API int tuff_graph_load_state(tuff_graph* graph, const char* folder, tuff_frame* frame,
                                   tuff_diagnostics** why);

/** How many outputs the config has. */
TUFF_API size_t tuff_graph_output_count(const tuff_graph* graph);
/** The name of an output; empty beyond the last. */
TUFF_API const char* tuff_graph_output_name(const tuff_graph* graph, size_t index);

/** Four floats a texel, row by row from the top, sRGB decoded; missing channels are 0, alpha 1. */
typedef struct tuff_picture {
    uint32_t width;  /**< texels */
    uint32_t height; /**< texels */
    uint32_t depth;  /**< texels; 1 of flat images */
    float* texels;   /**< of malloc: the caller frees it */
} tuff_picture;
/** Of the last execution, which it waits for. */
TUFF_API int tuff_graph_read_image(tuff_graph* graph, const char* output, tuff_picture* picture,
                                   tuff_diagnostics** why);
/** The bytes of a buffer, of malloc, in `*bytes`, and their number in `*size`. */
TUFF_API int tuff_graph_read_buffer(tuff_graph* graph, const char* output, void** bytes,
                                    size_t* size, tuff_diagnostics** why);
/** What passes have to say of the last execution, and which of their pools have grown and which
 * histories have begun again since the last call; null where that is nothing, or where it fails. */
TUFF_API tuff_diagnostics* tuff_graph_warnings(tuff_graph* graph, tuff_diagnostics** why);
/** Ends it, once its work has finished. */
TUFF_API void tuff_graph_free(tuff_graph* graph);

#ifdef __cplusplus
}
#endif

#endif
