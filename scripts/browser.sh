#!/bin/sh
# scripts/browser.sh -- the report's page in headless Chromium, by tests/browser_test.py: of the program
# in B (build/opt). CHROMIUM names another browser.
set -u
cd "$(dirname "$0")/.." || exit 3
command -v "${CHROMIUM:-chromium}" >/dev/null || scripts/setup.sh slow
work=build/browser
python3 -B tests/browser_test.py "${B:-build/opt}/halfulp" "$work"
