"""Validates reports against the published schemas: validate.py SCHEMA_FOLDER REPORT...   (report.json files)

Exit: 0 all valid, 1 with the first error of each that is not.
"""
import json
import pathlib
import sys

import jsonschema


def read(file):
    return json.loads(pathlib.Path(file).read_text())


def validator(folder, name):
    """Of report, plan or record. References between the files are resolved on disk, never from a network."""
    file = pathlib.Path(folder).resolve() / f"{name}.schema.json"
    schema = read(file)
    jsonschema.Draft202012Validator.check_schema(schema)

    def refuse(uri):
        raise ValueError(f"{file} refers to {uri}")

    resolver = jsonschema.RefResolver(file.as_uri(), schema, handlers={"http": refuse, "https": refuse})
    return jsonschema.Draft202012Validator(schema, resolver=resolver)


if __name__ == "__main__":
    errors = [(file, error) for file in sys.argv[2:] for error in [next(validator(sys.argv[1], "report").iter_errors(read(file)), None)] if error]
    for file, error in errors:
        print(f"{file}: {error.json_path}: {error.message[:500]}")
    sys.exit(1 if errors or len(sys.argv) < 3 else 0)
