/** @typedef {{ health: string, port: number }} Config */

const port = 8080;

/** @type {Config} */
const config = { health: '/health', port };

module.exports = config;
