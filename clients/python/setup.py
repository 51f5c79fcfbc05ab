"""Makes the types and the methods from the OpenAPI document before the package is built."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

here = Path(__file__).parent
document = here / "openapi.json"


class BuildWithTypes(build_py):
    def run(self):
        import sys

        sys.path.insert(0, str(here))
        from generate import generate

        generate(document, here / "src" / "crawl_optimizer_client")
        super().run()


# In a clone the document is the service's own; in a source distribution it lies beside this file.
shipped = here.parent.parent / "openapi" / "openapi.json"
if shipped.exists():
    shutil.copyfile(shipped, document)

setup(cmdclass={"build_py": BuildWithTypes})
