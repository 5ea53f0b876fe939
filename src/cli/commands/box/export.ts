import { writeFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { AreasSource } from '../../../emulator/gates/open-areas.ts'
import { BoxError } from '../../../judges/box/read-box.ts'
import { explainFileError, readOwnText } from '../../../library/files/read-file.ts'
import { type RunOf, refuseUsage } from '../../arguments/command.ts'
import { openBox } from '../../box/open-box.ts'
import { typedPath } from '../../start/load/loading.ts'
import { exitCodes } from '../../terminal/io.ts'
import { printable } from '../../terminal/text.ts'
import type { exportFlags } from './flags.ts'

export const run: RunOf<typeof exportFlags> = async ({ words: [path = ''], values: { html = '' }, io }) => {
  const opening = await openBox(path, undefined, {
    loadAreas: async source => {
      throw new BoxError(needsServer(source))
    },
  })
  if (!opening.ok) return refuseUsage(opening.complaints, io)
  const { box, bytes } = opening.value
  const target = typedPath(html, io.env)
  for (const step of box.steps)
    if (step.kind === 'contract' && step.source !== undefined)
      return refuseUsage([`${path}: ${needsServer(step.source)}`], io)
  const page = pageOf(gunzipSync(bytes), await readOwnText('dist/page/run.js'), await readDashboard())
  try {
    await writeFile(target, page)
  } catch (error) {
    io.stderr.write(`${printable(html)} cannot be written (${explainFileError(error)})\n`)
    return exitCodes.findings
  }
  io.stdout.write(`${printable(html)}: open it in a browser.\n`)
  return exitCodes.fine
}

function needsServer({ file }: AreasSource): string {
  return `its run serves the contract ${file}, which needs a server: use pet-mock box open`
}

/** The module has the page as a text in JSON. */
async function readDashboard(): Promise<string> {
  const [, text = ''] = /^export const page = (.*)$/m.exec(await readOwnText('dist/page/dashboard.js')) ?? []
  return JSON.parse(text)
}

/** No file may load anything, nor send what the run has. */
const policy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'"

/** The parts are gzip in base64: nothing in a box can end the element that it is in. */
function pageOf(box: Uint8Array, code: string, dashboard: string): string {
  const part = (id: string, bytes: Uint8Array | string) =>
    `<script type="text/plain" id="${id}">${gzipSync(bytes, { level: 9 }).toString('base64')}</script>\n`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>pet-mock: a recorded run</title>
<meta http-equiv="Content-Security-Policy" content="${policy}"></head>
<body><noscript>This page needs JavaScript.</noscript>
${part('box', box)}${part('code', code)}${part('dashboard', dashboard)}<script type="module">
const read = id => Uint8Array.from(atob(document.getElementById(id).textContent), sign => sign.charCodeAt(0))
const unpack = id =>
  new Response(new Blob([read(id)]).stream().pipeThrough(new DecompressionStream('gzip'))).text()
globalThis.petMockBox = read('box')
const page = await unpack('dashboard')
const script = document.createElement('script')
script.textContent = await unpack('code')
document.head.append(script)
document.open()
document.write(page)
document.close()
</script></body></html>
`
}
