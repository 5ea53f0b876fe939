import { gzipSync } from 'node:zlib'
import type { ReadPageFile } from '../../src/doors/admin/pages/send-file.ts'

const texts: Readonly<Record<string, string>> = {
  'index.html':
    '<!doctype html><html lang="en"><title>pet-mock</title><link rel="icon" href="./assets/icon-1.svg"><script type="module" src="./assets/app-1.js"></script>',
  'panel.html':
    '<!doctype html><html lang="en"><title>Panel</title><link rel="icon" href="./assets/icon-1.svg"><script type="module" src="./assets/app-1.js"></script>',
  'panel.js': 'document.title = "panel.js ran"',
  'assets/app-1.js': 'document.body.textContent = "the app ran"',
  'assets/icon-1.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
}

/** Stands for the built dashboard. Only the script has a compressed form. */
export const toyPages: ReadPageFile = async path => {
  const text = Object.hasOwn(texts, path) ? texts[path] : undefined
  if (text === undefined) return undefined
  const gzipped = path === 'assets/app-1.js' ? gzipSync(text) : undefined
  return { bytes: Buffer.from(text), gzipped, tag: path.replace('/', '-') }
}
