#!/bin/sh
# scripts/tinymesa.sh -- get Mesa's constant folder of NIR for `make prove PART=nir_alu`: the package tinymesa of PyPI, which is
# Mesa 25.2.7, in build/tinymesa.
set -u
cd "$(dirname "$0")/.." || exit 3
folder=build/tinymesa
mkdir -p "$folder/wheels" || exit 3
pip download -q --no-deps --dest "$folder/wheels" tinymesa==25.2.7.2 || {
    echo "tinymesa: pip cannot get it" >&2
    exit 1
}
scripts/wheels.sh scripts/tinymesa.sha256 "$folder/wheels" || exit 1
python3 -m zipfile -e "$folder"/wheels/tinymesa-*.whl "$folder"
