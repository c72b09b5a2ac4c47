const { routes } = require('../packages/server/src/main');
let total = 0;
function count() { total += routes.table().size; return total; }
count();
