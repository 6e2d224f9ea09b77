// Node 21 added `navigator`, and Node 24 its locks. Tests run as in Node 20, and pass the locks that they need.
Reflect.deleteProperty(globalThis, 'navigator');
