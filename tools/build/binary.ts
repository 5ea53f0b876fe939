/* Puts the built command into one executable for this machine, with the Node that runs this file: `npm run binary`. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { arch, execPath, version as node, platform } from 'node:process'

/** Files and folders of the package that the command loads or reads. */
const read = [
  ...['package.json', 'schemas', 'dist/pet-mock.cjs', 'dist/prism.cjs', 'dist/dashboard', 'dist/page'],
  ...['dist/commonjs/package.json', 'dist/commonjs/chunks'],
]
const folder = 'dist-binary'
const output = `${folder}/pet-mock${platform === 'win32' ? '.exe' : ''}`
const config = `${folder}/sea.json`
const main = `${folder}/main.cjs`

function filesOf(path: string): string[] {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path).flatMap(name => filesOf(`${path}/${name}`))
}

mkdirSync(folder, { recursive: true })
writeFileSync(main, "require('./dist/pet-mock.cjs')\n")
const assets = Object.fromEntries(read.flatMap(filesOf).map(file => [file, file]))
// The command finds its files below the folder of its own file, as in the package: Node mounts the assets there.
writeFileSync(
  config,
  JSON.stringify({ main, output, assets, useVfs: true, disableExperimentalSEAWarning: true }),
)
execFileSync(execPath, ['--build-sea', config], { stdio: ['ignore', 'ignore', 'inherit'] })
for (const file of [main, config]) rmSync(file)
// macOS runs no program whose signature does not fit.
if (platform === 'darwin') execFileSync('codesign', ['--sign', '-', '--force', output])
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const megabytes = (statSync(output).size / 1e6).toFixed(1)
process.stdout.write(
  `${output}: pet-mock ${version} with Node ${node} for ${platform}-${arch}, ${megabytes} MB\n`,
)
