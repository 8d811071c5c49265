#!/bin/sh
# scripts/kubernetes/check.sh -- is campaign.yaml what Kubernetes takes? By the schemas of kubernetes-validate, strictly:
# an unknown name is an error. Installed from PyPI into build/kubernetes; exit status 77 where that cannot be done.
# The settings within it are checked as well, and that shards are as many as completions.
set -u
cd "$(dirname "$0")/../.." || exit 3
venv=build/kubernetes yaml=scripts/kubernetes/campaign.yaml
if [ ! -x "$venv/bin/kubernetes-validate" ]; then
    if ! python3 -m venv "$venv" ||
        ! "$venv/bin/pip" install -q --disable-pip-version-check kubernetes-validate==1.37.0 >&2; then
        echo "kubernetes: no kubernetes-validate from PyPI; not checked"
        exit 77
    fi
fi
"$venv/bin/kubernetes-validate" --strict "$yaml" || exit 1
"$venv/bin/python" -c '
import sys, yaml
parts = list(yaml.safe_load_all(open(sys.argv[1])))
print(parts[0]["data"]["settings"])' "$yaml" >"$venv/settings" || exit 1
awk -f scripts/slurm/settings.awk "$venv/settings" >"$venv/settings.sh" || exit 1
shards=$(sed -n "s/^set_shards='\(.*\)'/\1/p" "$venv/settings.sh")
grep -q "^  completions: $shards " "$yaml" || { echo "kubernetes: completions is not shards, $shards"; exit 1; }
# A word that no schema has must not pass.
sed 's/backoffLimitPerIndex/backoffLimitPerIndices/' "$yaml" >"$venv/bad.yaml"
! "$venv/bin/kubernetes-validate" --strict "$venv/bad.yaml" >/dev/null 2>&1 || {
    echo "kubernetes: a wrong file passes as well"
    exit 1
}
