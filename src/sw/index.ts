import { serveArt } from './art.ts';
import { deleteForeignCaches, scope } from './cache-names.ts';
import { sendReports } from './late-reports.ts';
import { listenToPages } from './messages.ts';
import { preloadPages, servePages } from './navigation.ts';
import { deferToNetwork } from './kill-switch.ts';
import { precacheStorefront } from './precache.ts';
import { handlePushMessages } from './push.ts';
import { serveSiteData } from './site-data.ts';
import { limitLifetimes, withinLimit } from './store-limits.ts';

limitLifetimes(scope);

// Nothing more, once the shop has said so.
deferToNetwork();

// What is answered, in this order; everything else goes to the network as if there were no worker.
servePages();
serveSiteData();
serveArt();
sendReports();
precacheStorefront();

// What pages may ask for: the update, copies for later, and to be forgotten.
listenToPages();

// What is told to whoever has closed the page, and the page that a tap opens.
handlePushMessages();

// A new worker waits until the customer accepts it; pages that have no worker yet get this one, without a reload.
scope.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([withinLimit(deleteForeignCaches), withinLimit(preloadPages), scope.clients.claim()]));
});
