# The tests of this folder: `ctest --test-dir FOLDER -j4`. Relative, since ctest changes into the folder first and
# knows no path here.
include("discover.cmake")
