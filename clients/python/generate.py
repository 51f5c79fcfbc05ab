"""``generate.py <openapi.json> <folder>``: types and one method an operation, from the OpenAPI document.

The types are datamodel-code-generator's (TypedDicts, so that requests and answers stay plain dicts); the methods only
join a path to its types.
"""

import json
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from datamodel_code_generator import DataModelType, InputFileType, OpenAPIScope, PythonVersion
from datamodel_code_generator import generate as generate_models

HEAD = '''"""One method an operation of the service, made from its OpenAPI document."""

from __future__ import annotations

from typing import cast

from crawl_optimizer_client import _types
from crawl_optimizer_client._transport import Json, Transport


class Operations(Transport):
'''

METHOD = '''    def {method}(
        self, request: _types.{request}, *, validate_only: bool = False
    ) -> _types.{answer}:
        """{summary}"""
        answer = self._post("{path}", cast("Json", request), validate_only=validate_only)
        return cast("_types.{answer}", answer)

'''


def operations(document):
    """(path, operation) of every operation that takes JSON."""
    for path, methods in document["paths"].items():
        operation = methods.get("post")
        if operation and "application/json" in operation.get("requestBody", {}).get("content", {}):
            yield path, operation


def only_json(document):
    """The document without its other forms of bodies, whose types would be the same ones again."""
    reduced = json.loads(json.dumps(document))
    reduced["paths"] = {path: {"post": dict(operation)} for path, operation in operations(reduced)}
    for methods in reduced["paths"].values():
        content = methods["post"]["requestBody"]["content"]
        methods["post"]["requestBody"] = {"required": True, "content": {"application/json": content["application/json"]}}
        methods["post"]["parameters"] = []
        answers = methods["post"]["responses"]
        answer = answers["200"]["content"]["application/json"]
        methods["post"]["responses"] = {"200": {"description": "answered", "content": {"application/json": answer}}}
    return reduced


def type_of(body):
    """The name of the schema that a body refers to, which is its type's."""
    return body["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]


def generate(document_path, folder):
    document = json.loads(Path(document_path).read_text(encoding="utf-8"))
    with TemporaryDirectory() as work:
        reduced = Path(work) / "openapi.json"
        reduced.write_text(json.dumps(only_json(document)), encoding="utf-8")
        generate_models(
            reduced,
            input_file_type=InputFileType.OpenAPI,
            output=Path(folder) / "_types.py",
            output_model_type=DataModelType.TypingTypedDict,
            openapi_scopes=[OpenAPIScope.Paths, OpenAPIScope.Schemas],
            use_operation_id_as_name=True,
            use_schema_description=True,
            use_closed_typed_dict=False,
            target_python_version=PythonVersion.PY_311,
            disable_timestamp=True,
        )
    types = (Path(folder) / "_types.py").read_text(encoding="utf-8")
    text = HEAD
    for path, operation in operations(document):
        name = operation["operationId"]
        request, answer = type_of(operation["requestBody"]), type_of(operation["responses"]["200"])
        for each in (request, answer):
            if not re.search(rf"^(class )?{each}\b", types, re.MULTILINE):
                raise ValueError(f"no type {each} was made for {name}")
        method = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
        summary = operation["summary"].replace('"', "'")
        text += METHOD.format(method=method, request=request, answer=answer, path=path, summary=summary)
    (Path(folder) / "_operations.py").write_text(text.rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    generate(*sys.argv[1:])
