/*
 * What each client of this folder does: 20 calls when nothing disturbs it. It reads the pages of the list, lists pets by
 * status, creates four pets and finds each of them, and reads the list again. The clients differ in how they send a call,
 * and in what they do when it fails.
 */

/**
 * @typedef {{ id: number, name: string }} Pet
 * @typedef {{ name: string, categoryId: number, status: string }} NewPet
 * @typedef {{ pets: Pet[], link: string | null | undefined }} Page
 * @typedef {object} Client
 * @property {(url: string) => Promise<Page>} list
 * @property {(url: string, pet: NewPet) => Promise<unknown>} create
 */

const names = ['Rex', 'Tom', 'Ada', 'Max']

/** @param {Client} client */
export async function work(client) {
  try {
    await doAll(client)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}

/** @param {Client} client */
async function doAll({ list, create }) {
  const base = process.env.PET_MOCK_URL ?? ''
  const pages = async (/** @type {number} */ limit, /** @type {number} */ most) => {
    let url = `${base}/pets?limit=${limit}`
    let count = 0
    for (let page = 0; page < most; page += 1) {
      const { pets, link } = await list(url)
      count += pets.length
      const next = /<([^>]*)>; rel="next"/.exec(link ?? '')?.[1]
      if (next === undefined) break
      url = next
    }
    return count
  }
  const before = await pages(20, 5)
  for (const status of ['available', 'pending', 'sold']) await list(`${base}/pets?status=${status}&limit=5`)
  for (const [at, name] of names.entries()) {
    await create(`${base}/pets`, { name: `${name} ${process.pid}`, categoryId: 1, status: 'sold' })
    // One pet of its own each time: GET /pets/{petId} will be removed.
    await list(`${base}/pets?status=sold&limit=${10 + at}`)
  }
  process.stdout.write(`${before} pets, now ${await pages(30, 4)}\n`)
}

/** Whether a pet of this name is in the list: for a client whose reply to a create was lost. */
export async function isThere(
  /** @type {Client['list']} */ list,
  /** @type {string} */ url,
  /** @type {string} */ name,
) {
  /** @type {string | undefined} */
  let next = `${url}?status=sold&limit=100`
  while (next !== undefined) {
    /** @type {Page} */
    const { pets, link } = await list(next)
    if (pets.some(pet => pet.name === name)) return true
    next = /<([^>]*)>; rel="next"/.exec(link ?? '')?.[1]
  }
  return false
}
