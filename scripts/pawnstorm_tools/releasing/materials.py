"""The bill of materials of a release, in CycloneDX's JSON: the parts of each file that come from other projects."""

import datetime
import uuid

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion

from pawnstorm import __version__
from pawnstorm_tools.releasing.records import ReleaseError

NAMESPACE = uuid.UUID("5f1b5a52-9d0c-4b52-8e0b-3f0a0b6f6a4e")  # for serial numbers; drawn at random once


def bill(digests, contents, epoch):
    """The text of the bill, which depends on the arguments only. Raises ReleaseError if CycloneDX's schema does not allow it.

    digests     {file: its SHA-256}
    contents    {file: [component]}, as records.py describes them
    epoch       the bill's time, in seconds since 1970
    """
    release = Component(name="pawnstorm", version=__version__, type=ComponentType.APPLICATION, bom_ref="pawnstorm")
    release.licenses.add(DisjunctiveLicense(id="MIT"))
    files = [_file(name, digest, contents.get(name, ())) for name, digest in sorted(digests.items())]
    serial = uuid.uuid5(NAMESPACE, " ".join(sorted(digests.values())))
    time = datetime.datetime.fromtimestamp(epoch, datetime.UTC)
    bom = Bom(components=files, serial_number=serial, metadata=BomMetaData(component=release, timestamp=time, tools=()))
    bom.register_dependency(release, files)
    from cyclonedx.validation.json import JsonStrictValidator  # some seconds, for grammars that it makes ready

    text = JsonV1Dot6(bom).output_as_string(indent=1)
    if fault := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        raise ReleaseError(f"the bill of materials: {fault}")
    return text


def _sha256(digest):
    return HashType(alg=HashAlgorithm.SHA_256, content=digest)


def _file(name, digest, parts):
    inside = [
        Component(
            name=part["name"],
            version=part.get("version"),
            type=ComponentType.FILE if "sha256" in part else ComponentType.LIBRARY,
            bom_ref=f"{name}/{part['name']}",
            hashes=[_sha256(part["sha256"])] if "sha256" in part else [],
            licenses=[LicenseExpression(part["licence"])] if "licence" in part else [],
        )
        for part in parts
    ]
    hashes = [_sha256(digest)]
    return Component(name=name, type=ComponentType.FILE, bom_ref=name, hashes=hashes, components=inside)
