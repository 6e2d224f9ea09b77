/** Returns the CRC-32 of text, as eight hexadecimal digits. */
export function checksum(text: string): string {
  let crc = -1;
  for (const byte of new TextEncoder().encode(text)) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0);
  return (~crc >>> 0).toString(16).padStart(8, '0');
}

const TABLE: readonly number[] = /* #__PURE__ */ Array.from({ length: 256 }, (_, at) => {
  let value = at;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});
