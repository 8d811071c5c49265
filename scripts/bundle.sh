#!/bin/sh
# scripts/bundle.sh BUILD VERSION -- BUILD's programs with all that they use, as build/halfulp-VERSION-x86_64.tar.xz: libraries,
# loaders, bubblewrap and xz of this machine, seeds, lists, documents and licences. The archive needs glibc of the release that
# GLIBC names, and holds no driver. The same sources and packages give the same archive.
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C
build=$1
version=$2
name=halfulp-$version-x86_64
GLIBC=2.36
MAX_BYTES=31457280 # 30 MiB
root=build/bundle/$name
lib=$root/lib/halfulp
doc=$root/share/doc/halfulp

fail() {
    echo "bundle: $*" >&2
    exit 1
}

# Debian's packages of which something is brought along, and their licences.
licences="bubblewrap LGPL-2.0-or-later
libcap2 BSD-3-Clause or GPL-2.0
libgcc-s1 GPL-3.0 with the GCC runtime library exception
libgmp10 LGPL-3.0-or-later or GPL-2.0-or-later
libinih1 BSD-3-Clause
libjansson4 MIT
liblzma5 public domain
libmpfr6 LGPL-3.0-or-later
libpcre2-8-0 BSD-3-Clause
libselinux1 public domain
libsqlite3-0 public domain
libstdc++6 GPL-3.0 with the GCC runtime library exception
libvulkan1 Apache-2.0
ocl-icd-libopencl1 BSD-2-Clause
spirv-tools Apache-2.0
xz-utils public domain, scripts GPL-2.0-or-later"

# The package of a file of this machine.
package_of() {
    file=$(readlink -f "$1")
    owner=$(dpkg-query -S "$file" "${file#/usr}" 2>/dev/null | head -n 1 | sed 's/:.*//')
    [ -n "$owner" ] || fail "$1: no package of Debian has this file"
    echo "$owner"
}

# Libraries of a program but the C library's, which every machine has in its own release.
libraries_of() {
    ldd "$1" | awk '$2 == "=>" && $1 !~ /^(libc|libm|libdl|librt|libpthread)\.so/ { print $3 }'
}

# The row of a package in LICENCES.md, and its full text.
put_licence() {
    licence=$(echo "$licences" | sed -n "s/^$1 //p")
    [ -n "$licence" ] || fail "package $1 has no licence in scripts/bundle.sh"
    source=$(dpkg-query -W -f '${source:Package} ${source:Version}' "$1")
    echo "| $1 | $licence | $source | [text](licences/$1) |" >>"$doc/LICENCES.md"
    cp -L "/usr/share/doc/$1/copyright" "$doc/licences/$1"
}

command -v dpkg-query >/dev/null || fail "this machine has no dpkg: the archive is made on Debian"
rm -rf build/bundle
mkdir -p "$lib/loaders" "$lib/tools/libraries" "$doc/docs" "$doc/licences"
scripts/install.sh "$root" "$root" "$build/bundle/halfulp" "$build/bundle/halfulp-executor" "$build/halfulp-worker" >build/bundle/log
strip "$root/bin/halfulp-worker"
ln -s bin/halfulp "$root/halfulp"
packages=build/bundle/packages

for file in $(libraries_of "$root/bin/halfulp" && libraries_of "$root/bin/halfulp-executor"); do
    cp -L "$file" "$lib/"
    package_of "$file" >>$packages
done
for file in libvulkan.so.1 libOpenCL.so.1; do
    found=$(ldconfig -p | awk -v name="$file" '$1 == name && /x86-64/ { print $NF; exit }')
    [ -n "$found" ] || fail "$file is not here: make setup"
    cp -L "$found" "$lib/loaders/"
    package_of "$found" >>$packages
    [ -z "$(libraries_of "$found")" ] || fail "$found needs libraries that the archive does not bring"
done
# Libraries of these are found without a variable that the sandbox would inherit.
for tool in bwrap xz; do
    path=$(command -v $tool) || fail "$tool is not here: make setup"
    for file in $path $(libraries_of "$path"); do
        cp -L "$file" "$lib/tools/libraries/"
        package_of "$file" >>$packages
    done
    cat >"$lib/tools/$tool" <<END
#!/bin/sh
here=\$(dirname "\$0")/libraries
exec /lib64/ld-linux-x86-64.so.2 --library-path "\$here" "\$here/$tool" "\$@"
END
    chmod 755 "$lib/tools/$tool"
done
echo spirv-tools >>$packages # is linked into the program

install -m 755 scripts/gpu_day.sh "$root/bin/gpu_day.sh"
cp README.md CHANGELOG.md LICENSE "$doc/"
cp docs/*.md docs/*.png "$doc/docs/"
{
    echo "# What this archive brings along"
    echo
    echo "halfulp itself has the MIT licence ([LICENSE](LICENSE)). The other files come from packages of Debian, unchanged but for"
    echo "removed symbols. Debian's archive has the source of each package in the version that the table names."
    echo
    echo "| package | licence | source package and version | full text |"
    echo "| --- | --- | --- | --- |"
} >"$doc/LICENCES.md"
sort -u $packages | while read -r package; do
    put_licence "$package"
done

find "$root" -type f | while read -r file; do
    newest=$(objdump -T "$file" 2>/dev/null | grep -o 'GLIBC_[0-9.]*' | sort -u | sort -V | tail -n 1)
    [ "$(printf '%s\nGLIBC_%s\n' "${newest:-GLIBC_0}" "$GLIBC" | sort -V | tail -n 1)" = "GLIBC_$GLIBC" ] ||
        fail "$file needs $newest; the archive promises glibc $GLIBC"
done
when=$(git log -1 --format=%ct 2>/dev/null || date +%s)
archive=build/$name.tar.xz
tar -C build/bundle --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$when" --mode='u=rwX,go=rX' -cf - "$name" |
    xz -T0 -6 >"$archive.new"
bytes=$(wc -c <"$archive.new")
[ "$bytes" -le $MAX_BYTES ] || fail "$archive.new has $bytes bytes, more than $MAX_BYTES"
mv "$archive.new" "$archive"
echo "bundle: $archive, $bytes bytes"
