"""Compares what a reference program prints with the fixture that came from it:

    python3 scripts/reference/compare.py access_load.py access-load.json

Numbers must agree to a relative 1e-13 (a second argument of the comparison, --digits N, asks for fewer); everything else exactly. What only the
fixture holds (its source, its columns) is not compared. Ends with code 1 at the first ten differences.
"""
import json
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
fixtures = here.parent.parent / "test" / "fixtures"


def differences(place, printed, held, tolerance):
    if isinstance(printed, dict):
        for key, value in printed.items():
            if not isinstance(held, dict) or key not in held:
                yield f"{place}/{key} is missing in the fixture"
            else:
                yield from differences(f"{place}/{key}", value, held[key], tolerance)
    elif isinstance(printed, list):
        if not isinstance(held, list) or len(printed) != len(held):
            yield f"{place}: lists of different length"
        else:
            for i, (a, b) in enumerate(zip(printed, held)):
                yield from differences(f"{place}/{i}", a, b, tolerance)
    elif isinstance(printed, (int, float)) and isinstance(held, (int, float)):
        if abs(printed - held) > tolerance * max(abs(printed), abs(held)):
            yield f"{place}: printed {printed!r}, held {held!r}"
    elif printed != held:
        yield f"{place}: printed {printed!r}, held {held!r}"


def main():
    program, fixture = sys.argv[1:3]
    digits = int(sys.argv[4]) if sys.argv[3:4] == ["--digits"] else 13
    printed = json.loads(subprocess.run([sys.executable, here / program], capture_output=True, check=True, text=True).stdout)
    held = json.loads((fixtures / fixture).read_text())
    found = list(differences("", printed, held, 10.0**-digits))
    for line in found[:10]:
        print(line)
    print(f"{fixture}: {len(found)} differences" if found else f"{fixture}: agrees with {program}")
    sys.exit(1 if found else 0)


main()
