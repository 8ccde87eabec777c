// The binary parts of the page: the core, the records, the networks and the books, each compressed and with its checksum.

/** What the page cannot be used with, such as a damaged part; the text is for people: it says what, and what would help. */
class Unusable extends Error {}

const PART_NAMES = {core: 'engine', records: 'table of the games', network: 'network', ntuple: 'network', book: 'book'};
const CRC_TABLE = Uint32Array.from({length: 256}, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? 0xEDB88320 ^ rest >>> 1 : rest >>> 1;
  return rest;
});

/** CRC-32, as zlib counts it. */
function crc32(bytes) {
  let rest = -1;
  for (const byte of bytes) rest = CRC_TABLE[(rest ^ byte) & 0xFF] ^ rest >>> 8;
  return (rest ^ -1) >>> 0;
}

/** The bytes of a part {text, check}, its base64 and checksum. Throws Unusable. */
async function unpacked(name, {text, check}) {
  const what = `The ${PART_NAMES[name.split('.').at(-1)] ?? 'part'} inside this page is damaged (${name})`;
  const help = 'load or download the page again';
  try {
    const packed = Uint8Array.from(atob(text.trim()), letter => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    if (crc32(bytes) === check) return bytes;
  } catch { /* told below: what cannot be decoded is damaged too */ }
  throw new Unusable(`${what}: ${help}.`);
}
