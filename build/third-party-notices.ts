import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'rolldown'

/**
 * Puts the licenses of all that is bundled beside the bundle. Rolldown says which modules those are, so a library
 * that was shaken off is not named and a new one cannot be forgotten: one without a license text stops the build.
 *
 * `copied` are packages whose data reaches the bundle by another way than an import.
 */
export function thirdPartyNotices(fileName: string, copied: readonly string[]): Plugin {
  return {
    name: 'third-party-notices',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap(output =>
        output.type === 'chunk' ? Object.entries(output.modules) : [],
      )
      const bundled = modules.filter(([, { renderedLength }]) => renderedLength > 0).map(([path]) => path)
      const folders = new Set(
        [...bundled, ...copied.map(name => join('node_modules', name))].flatMap(packageOf),
      )
      const notices = [...folders].map(notice).sort()
      const source = `${heading}\n${[...new Set(notices)].join(`\n${'-'.repeat(80)}\n\n`)}`
      this.emitFile({ type: 'asset', fileName, source })
    },
  }
}

const heading = `pet-mock contains the following software, each under its own license.

${'='.repeat(80)}
`

/** The folder of the package that a module is from; none for our own. */
function packageOf(path: string): readonly string[] {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path.replaceAll('\\', '/')) ?? []
}

function notice(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter(file => /^(?:licen[cs]e|copying|notice)\b/i.test(file))
  if (files.length === 0) throw new Error(`${name} is bundled, and ${folder} holds no license`)
  const texts = files.sort().map(file => readFileSync(join(folder, file), 'utf8').trim())
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`
}
