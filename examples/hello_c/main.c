/* Runs a config and tells how bright its first picture is: hello_c CONFIG.json */
#include <tuff/tuff.h>

#include <stdio.h>
#include <stdlib.h>

static int complain(tuff_diagnostics* why) {
    fputs(tuff_diagnostics_text(why), stderr);
    tuff_diagnostics_free(why);
    return 1;
}

/* The mean of red, green and blue. */
static double brightness(const tuff_picture* picture) {
    const size_t texels = (size_t)picture->width * picture->height * picture->depth;
    double sum = 0.0;
    for (size_t i = 0; i < texels; ++i)
        for (size_t channel = 0; channel < 3; ++channel)
            sum += picture->texels[4 * i + channel];
    return sum / (3.0 * (double)texels);
}

static int run(tuff_graph* graph) {
    tuff_diagnostics* why = NULL;
    const tuff_frame frame = {0, 0.0, 1.0 / 60.0};
    tuff_picture picture;
    if (!tuff_graph_execute(graph, &frame, &why) ||
        !tuff_graph_read_image(graph, tuff_graph_output_name(graph, 0), &picture, &why))
        return complain(why);
    printf("%ux%u, brightness %.3f\n", picture.width, picture.height, brightness(&picture));
    free(picture.texels);
    return 0;
}

int main(int argc, char** argv) {
    if (argc != 2) return fputs("usage: hello_c CONFIG.json\n", stderr), 2;
    tuff_diagnostics* why = NULL;
    tuff_device* device = tuff_device_open(getenv("TUFF_DEVICE"), 0, &why);
    tuff_config* config = device ? tuff_config_load(argv[1], &why) : NULL;
    tuff_graph* graph = config ? tuff_graph_start(device, config, &why) : NULL;
    const int code = graph ? run(graph) : complain(why);
    tuff_graph_free(graph); /* in this order; null is nothing to free */
    tuff_config_free(config);
    tuff_device_close(device);
    return code;
}
