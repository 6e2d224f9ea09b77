// Node 21 added `navigator`, and Node 24 its locks. Tests without a page run as in Node 20, and pass the locks that they need.
if (!('document' in globalThis)) Reflect.deleteProperty(globalThis, 'navigator');
