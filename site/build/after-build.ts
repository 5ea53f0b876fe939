import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Node, walk } from 'estree-walker'
import { parseAst } from 'rollup/parseAst'

/** The base that the site is built for. No page has this text. */
export const placeholder = '/__base__/'

/** Makes a built site work below any path: VitePress builds for one base only. */
export function makeRelative(root: string): void {
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const file = join(root, name)
    const up = `${relative(dirname(file), root) || '.'}/`
    if (/\.(?:html|css)$/.test(name)) rewrite(file, text => text.replaceAll(placeholder, up))
    else if (name.endsWith('.js')) rewrite(file, text => withRuntimeBase(text, up))
  }
}

function rewrite(file: string, change: (text: string) => string): void {
  const text = readFileSync(file, 'utf8')
  if (text.includes(placeholder)) writeFileSync(file, change(text))
}

type Placed = Node & { readonly start: number; readonly end: number }

/** Lets each text of a module that has the placeholder take the base from the address of the module. */
function withRuntimeBase(code: string, up: string): string {
  const base = `new URL(${JSON.stringify(up)},import.meta.url).pathname`
  let written = ''
  let copied = 0
  walk(parseAst(code) as Node, {
    enter: node => {
      const { start, end } = node as Placed
      const text = code.slice(start, end)
      const isTemplate = node.type === 'TemplateElement'
      if (!text.includes(placeholder) || !(isTemplate || (node.type === 'Literal' && /^["']/.test(text))))
        return
      const [quote] = text
      const other = isTemplate ? `\${${base}}` : `${quote}+${base}+${quote}`
      const changed = text.replaceAll(placeholder, other)
      written += code.slice(copied, start) + (isTemplate ? changed : `(${changed})`)
      copied = end
    },
  })
  return written + code.slice(copied)
}

/** Copies the page of the dashboard and its parts, which the package has compressed, and lists the parts. */
export function copyDashboard(from: string, to: string): void {
  mkdirSync(join(to, 'assets'), { recursive: true })
  const parts = readdirSync(join(from, 'assets'))
    .filter(name => !name.startsWith('panel-'))
    .map(name => `assets/${name}`)
  for (const name of ['index.html', ...parts]) {
    const bytes = readFileSync(join(from, name))
    writeFileSync(join(to, name.replace(/\.gz$/, '')), name.endsWith('.gz') ? gunzipSync(bytes) : bytes)
  }
  const listed = parts.map(name => name.replace(/\.gz$/, '')).filter(name => /\.(?:js|css)$/.test(name))
  writeFileSync(join(to, 'parts.json'), JSON.stringify(listed))
}
