/* The version of these headers; the build reads it here. Until 1.0 a new minor version may change
 * anything, and a new patch mends what is there. */
#ifndef TUFF_VERSION_H
#define TUFF_VERSION_H

#define TUFF_VERSION_MAJOR 0
#define TUFF_VERSION_MINOR 1
#define TUFF_VERSION_PATCH 0

#endif
