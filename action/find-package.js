import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * The program of pet-mock: the installed one of a project, or one that npm installs into `directory`.
 *
 * @param {string} project
 * @param {string} version What npm can install, such as 1.2.0, or nothing.
 * @param {string} directory
 */
export function findPackage(project, version, directory) {
  if (version === '') {
    try {
      const manifest = createRequire(join(project, 'package.json')).resolve('pet-mock/package.json')
      return join(dirname(manifest), 'dist/pet-mock.cjs')
    } catch {}
  }
  const own = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const wanted = version || own.version
  const name = /^[\w.^~<>=*-]+$/.test(wanted) && !wanted.endsWith('.tgz') ? `pet-mock@${wanted}` : wanted
  const isWindows = process.platform === 'win32'
  const args = ['install', '--prefix', directory, '--no-save', '--no-audit', '--no-fund', name]
  execFileSync('npm', isWindows ? args.map(word => `"${word}"`) : args, {
    cwd: project,
    stdio: 'inherit',
    // npm is a script there.
    shell: isWindows,
  })
  return join(directory, 'node_modules/pet-mock/dist/pet-mock.cjs')
}
