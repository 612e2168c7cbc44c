import { servePictures } from './pictures.ts';
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

// After the kill switch, every request goes to the network.
deferToNetwork();

// Requests that the worker answers, in this order; all others go to the network.
servePages();
serveSiteData();
servePictures();
sendReports();
precacheStorefront();

// Messages from pages: update, offline copies, and deletion.
listenToPages();

// Push messages to a customer whose page is closed, and the page that opens on a tap.
handlePushMessages();

// A new worker waits until the customer accepts it. Pages without a worker get this one, without a reload.
scope.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([withinLimit(deleteForeignCaches), withinLimit(preloadPages), scope.clients.claim()]));
});
