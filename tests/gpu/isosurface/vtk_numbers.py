#!/usr/bin/python3
"""Prints the numbers of vtk_test.cpp: surfaces of the same fields by VTK (Debian's python3-vtk9)."""

import math

import numpy
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkFiltersCore import vtkFlyingEdges3D, vtkMarchingCubes


def ellipsoid(x, y, z):
    return 8.3 - math.hypot(math.hypot(x - 12.1, y - 11.9), 1.7 * (z - 9.2))


def waves(x, y, z):
    return math.sin(0.41 * x + 0.3) * math.cos(0.37 * y) + math.sin(0.43 * z + 0.2 * y)


def ring(x, y, z):
    return 3.1 - math.hypot(math.hypot(x - 12.2, y - 11.8) - 7.3, z - 9.1)


def surface(method, field, dims):
    values = numpy.array(
        [
            field(x, y, z)
            for z in range(dims[2])
            for y in range(dims[1])
            for x in range(dims[0])
        ],
        dtype=numpy.float32,
    )
    image = vtkImageData()
    image.SetDimensions(*dims)
    image.GetPointData().SetScalars(numpy_to_vtk(values, deep=True))
    cut = method()
    cut.SetInputData(image)
    cut.SetValue(0, 0.0)
    cut.ComputeNormalsOff()
    cut.Update()
    mesh = cut.GetOutput()
    points = vtk_to_numpy(mesh.GetPoints().GetData()).astype(numpy.float64)
    corners = points[vtk_to_numpy(mesh.GetPolys().GetData()).reshape(-1, 4)[:, 1:]]
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    area = 0.5 * numpy.linalg.norm(numpy.cross(b - a, c - a), axis=1).sum()
    volume = abs(numpy.einsum("ij,ij->i", a, numpy.cross(b, c)).sum() / 6.0)
    return len(points), len(corners), area, volume


for name, field, dims in (
    ("ellipsoid", ellipsoid, (25, 24, 19)),
    ("ring", ring, (25, 24, 19)),
    ("waves", waves, (33, 20, 27)),
):
    for method in (vtkFlyingEdges3D, vtkMarchingCubes):
        print(name, method.__name__, *surface(method, field, dims))
