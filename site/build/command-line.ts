import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitepress'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Stands for the modules of Node, and for what reads the files that flags name. No command that runs in a page uses them. */
const node = '\0node'

/** Has whatever a module takes from it when it loads. */
const code = `const any = new Proxy(() => {}, { get: (_, name) => name === Symbol.toPrimitive ? () => 0 : any })
export default any`

/** Builds the command line for pages: site/run/ has its modules that reach a server and standard input. */
export const commandLine: Plugin = {
  name: 'command-line-in-page',
  enforce: 'pre',
  resolveId(name, from, { ssr }) {
    // Pages are rendered without it.
    if (ssr && name === './terminal.ts') return { id: name, external: true }
    if (ssr || !from?.startsWith(path('../../src/'))) return null
    // The other build of the package is for Node.
    if (name === 'yargs-parser') return path('../../node_modules/yargs-parser/browser.js')
    if (/^node:|\/load-from-flags\.ts$/.test(name)) return node
    const [, replaced] = /\/((?:find-server|io)\.ts)$/.exec(name) ?? []
    return replaced === undefined ? null : path(`../run/${replaced}`)
  },
  load: id => (id === node ? { code, syntheticNamedExports: true } : null),
}
