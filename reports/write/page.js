/* reports/write/page.js -- the page's script: tables that sort and filter. The page is whole without. */
(function () {
'use strict';
function cell(row, i) { return row.cells[i].textContent; }
function number(text) {
  var m = text.replace(/,/g, '').match(/^[^0-9]*?(-?[0-9]+(\.[0-9]+)?)/);
  return m ? parseFloat(m[1]) : NaN;
}
function make(tag, parent, text) {
  var e = document.createElement(tag);
  if (text) { e.textContent = text; }
  parent.appendChild(e);
  return e;
}
/* Rows by a column: down is 1 or -1; what is no number comes last either way. */
function sort(table, i, is_number, down) {
  var body = table.tBodies[0];
  var rows = Array.prototype.slice.call(body.rows);
  rows.sort(function (x, y) {
    var a = cell(x, i), b = cell(y, i);
    if (!is_number) { return down * a.localeCompare(b, 'en', {numeric: true}); }
    a = number(a);
    b = number(b);
    return a !== a ? (b !== b ? 0 : 1) : b !== b ? -1 : down * (a - b);
  });
  rows.forEach(function (row) { body.appendChild(row); });
}
function add_sorting(table) {
  var heads = Array.prototype.slice.call(table.tHead.rows[0].cells);
  heads.forEach(function (th, i) {
    var is_number = th.classList.contains('number');
    var button = document.createElement('button');
    button.type = 'button';
    while (th.firstChild) { button.appendChild(th.firstChild); }
    th.appendChild(button);
    button.addEventListener('click', function () {
      var was = th.getAttribute('aria-sort');
      var now = was ? (was === 'ascending' ? 'descending' : 'ascending')
                    : is_number ? 'descending' : 'ascending';
      heads.forEach(function (other) { other.removeAttribute('aria-sort'); });
      th.setAttribute('aria-sort', now);
      sort(table, i, is_number, now === 'ascending' ? 1 : -1);
    });
  });
}
function add_choice(bar, table, th, i) {
  var texts = {}, label, select;
  Array.prototype.forEach.call(table.tBodies[0].rows, function (row) {
    texts['=' + cell(row, i)] = 1;
  });
  texts = Object.keys(texts).sort();
  if (texts.length < 2) { return null; }
  label = make('label', bar, th.textContent + ' ');
  select = make('select', label);
  make('option', select, 'all').value = '';
  texts.forEach(function (t) {
    make('option', select, t.slice(1, 61) || '(none)').value = t;
  });
  return {column: i, field: select};
}
function add_filters(table) {
  var box = table.parentNode, rows = Array.prototype.slice.call(table.tBodies[0].rows);
  var bar = document.createElement('div'), choices = [], field, status;
  if (rows.length < (table.querySelector('th[data-choice]') ? 3 : 8)) { return; }
  bar.className = 'filters';
  field = make('input', make('label', bar, 'rows with '));
  field.type = 'search';
  Array.prototype.forEach.call(table.tHead.rows[0].cells, function (th, i) {
    var c = th.hasAttribute('data-choice') ? add_choice(bar, table, th, i) : null;
    if (c) { choices.push(c); }
  });
  status = make('span', bar);
  status.setAttribute('role', 'status');
  function show() {
    var wanted = field.value.toLowerCase(), n = 0;
    rows.forEach(function (row) {
      var text = Array.prototype.map.call(row.cells, function (c) { return c.textContent; });
      var is_in = text.join(' ').toLowerCase().indexOf(wanted) >= 0 &&
        choices.every(function (c) {
          return !c.field.value || c.field.value === '=' + text[c.column];
        });
      row.hidden = !is_in;
      n += is_in;
    });
    status.textContent = n === rows.length ? '' : n + ' of ' + rows.length + ' rows';
  }
  field.addEventListener('input', show);
  choices.forEach(function (c) { c.field.addEventListener('change', show); });
  box.parentNode.insertBefore(bar, box);
}
/* What a link leads to is unfolded. */
function open_target() {
  var e = document.getElementById(location.hash.slice(1)), is_folded = false;
  for (var p = e; p; p = p.parentElement) {
    if (p.tagName === 'DETAILS' && !p.open) { p.open = is_folded = true; }
  }
  if (is_folded) { e.scrollIntoView(); }
}
Array.prototype.forEach.call(document.querySelectorAll('table'), function (table) {
  add_filters(table);
  add_sorting(table);
});
window.addEventListener('hashchange', open_target);
open_target();
}());
