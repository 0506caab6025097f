    vec3 solid_speed; // of the solids' pivot, cells / time unit
    vec3 solid_spin;  // radians / time unit
    vec3 solid_pivot; // cells
