package audit

import (
	"context"
	"strconv"

	"example.com/shop/decimal"
	"example.com/shop/money"
)

// Staff and access.

// StaffSignedIn records a member of staff who signed in.
func (l *Log) StaffSignedIn(ctx context.Context, actor, staffID, address string) error {
	return l.write(ctx, actor, "staff.signed-in", staffID, "address", address)
}

// StaffSignedOut records a member of staff who signed out.
func (l *Log) StaffSignedOut(ctx context.Context, actor, staffID string) error {
	return l.write(ctx, actor, "staff.signed-out", staffID)
}

// StaffSignInFailed records a failed attempt to sign in.
func (l *Log) StaffSignInFailed(ctx context.Context, actor, staffID, address, reason string) error {
	return l.write(ctx, actor, "staff.sign-in-failed", staffID, "address", address, "reason", reason)
}

// StaffLocked records an account that was locked.
func (l *Log) StaffLocked(ctx context.Context, actor, staffID, reason string) error {
	return l.write(ctx, actor, "staff.locked", staffID, "reason", reason)
}

// StaffUnlocked records an account that was opened again.
func (l *Log) StaffUnlocked(ctx context.Context, actor, staffID string) error {
	return l.write(ctx, actor, "staff.unlocked", staffID)
}

// StaffInvited records an invitation.
func (l *Log) StaffInvited(ctx context.Context, actor, staffID, role string) error {
	return l.write(ctx, actor, "staff.invited", staffID, "role", role)
}

// RoleGranted records a role that was given.
func (l *Log) RoleGranted(ctx context.Context, actor, staffID, role string) error {
	return l.write(ctx, actor, "role.granted", staffID, "role", role)
}

// RoleRevoked records a role that was taken away.
func (l *Log) RoleRevoked(ctx context.Context, actor, staffID, role string) error {
	return l.write(ctx, actor, "role.revoked", staffID, "role", role)
}

// TokenIssued records an access token that was issued.
func (l *Log) TokenIssued(ctx context.Context, actor, tokenID, scope string) error {
	return l.write(ctx, actor, "token.issued", tokenID, "scope", scope)
}

// TokenRevoked records an access token that was revoked.
func (l *Log) TokenRevoked(ctx context.Context, actor, tokenID string) error {
	return l.write(ctx, actor, "token.revoked", tokenID)
}

// Catalog and stock.

// ProductAdded records a new product.
func (l *Log) ProductAdded(ctx context.Context, actor, sku, title string) error {
	return l.write(ctx, actor, "product.added", sku, "title", title)
}

// ProductRenamed records a product with another title.
func (l *Log) ProductRenamed(ctx context.Context, actor, sku, from, to string) error {
	return l.write(ctx, actor, "product.renamed", sku, "from", from, "to", to)
}

// ProductRetired records a product that is no longer sold.
func (l *Log) ProductRetired(ctx context.Context, actor, sku string) error {
	return l.write(ctx, actor, "product.retired", sku)
}

// ProductRestored records a product that is sold again.
func (l *Log) ProductRestored(ctx context.Context, actor, sku string) error {
	return l.write(ctx, actor, "product.restored", sku)
}

// PriceChanged records a price that was changed.
func (l *Log) PriceChanged(ctx context.Context, actor, sku string, from, to decimal.Decimal) error {
	return l.write(ctx, actor, "price.changed", sku, "from", from.String(), "to", to.String())
}

// PriceListImported records an imported price list.
func (l *Log) PriceListImported(ctx context.Context, actor, list string, rows int) error {
	return l.write(ctx, actor, "price-list.imported", list, "rows", strconv.Itoa(rows))
}

// StockCounted records a stock-taking.
func (l *Log) StockCounted(ctx context.Context, actor, sku string, counted int) error {
	return l.write(ctx, actor, "stock.counted", sku, "counted", strconv.Itoa(counted))
}

// StockCorrected records a corrected stock.
func (l *Log) StockCorrected(ctx context.Context, actor, sku string, from, to int) error {
	return l.write(ctx, actor, "stock.corrected", sku, "from", strconv.Itoa(from), "to", strconv.Itoa(to))
}

// CategoryAdded records a new category.
func (l *Log) CategoryAdded(ctx context.Context, actor, category string) error {
	return l.write(ctx, actor, "category.added", category)
}

// CategoryRemoved records a category that was removed.
func (l *Log) CategoryRemoved(ctx context.Context, actor, category string) error {
	return l.write(ctx, actor, "category.removed", category)
}

// Orders.

// OrderPlaced records an order that was placed, with its total as the customer saw it.
func (l *Log) OrderPlaced(ctx context.Context, actor, orderID string, total decimal.Decimal) error {
	return l.write(ctx, actor, "order.placed", orderID, "total", total.String())
}

// OrderCancelled records an order that was cancelled.
func (l *Log) OrderCancelled(ctx context.Context, actor, orderID, reason string) error {
	return l.write(ctx, actor, "order.cancelled", orderID, "reason", reason)
}

// OrderRefunded records money that was given back for an order.
func (l *Log) OrderRefunded(ctx context.Context, actor, orderID string, amount money.Cents, reference string) error {
	return l.write(ctx, actor, "order.refunded", orderID, "amount", strconv.FormatInt(int64(amount), 10), "reference", reference)
}

// Parcels and carriers.

// ParcelPacked records a packed parcel.
func (l *Log) ParcelPacked(ctx context.Context, actor, parcelID string) error {
	return l.write(ctx, actor, "parcel.packed", parcelID)
}

// ParcelHandedOver records a parcel that the carrier took.
func (l *Log) ParcelHandedOver(ctx context.Context, actor, parcelID, carrier string) error {
	return l.write(ctx, actor, "parcel.handed-over", parcelID, "carrier", carrier)
}

// ParcelLost records a lost parcel.
func (l *Log) ParcelLost(ctx context.Context, actor, parcelID, carrier string) error {
	return l.write(ctx, actor, "parcel.lost", parcelID, "carrier", carrier)
}

// ParcelReturned records a parcel that came back.
func (l *Log) ParcelReturned(ctx context.Context, actor, parcelID, condition string) error {
	return l.write(ctx, actor, "parcel.returned", parcelID, "condition", condition)
}

// LabelPrinted records a printed label.
func (l *Log) LabelPrinted(ctx context.Context, actor, parcelID string) error {
	return l.write(ctx, actor, "label.printed", parcelID)
}

// LabelVoided records a label that was voided.
func (l *Log) LabelVoided(ctx context.Context, actor, parcelID, reason string) error {
	return l.write(ctx, actor, "label.voided", parcelID, "reason", reason)
}

// CarrierAdded records a new carrier.
func (l *Log) CarrierAdded(ctx context.Context, actor, carrier string) error {
	return l.write(ctx, actor, "carrier.added", carrier)
}

// CarrierDisabled records a carrier that is no longer used.
func (l *Log) CarrierDisabled(ctx context.Context, actor, carrier, reason string) error {
	return l.write(ctx, actor, "carrier.disabled", carrier, "reason", reason)
}

// Customers.

// CustomerMerged records two accounts that became one.
func (l *Log) CustomerMerged(ctx context.Context, actor, customerID, into string) error {
	return l.write(ctx, actor, "customer.merged", customerID, "into", into)
}

// CustomerErased records an account that was erased.
func (l *Log) CustomerErased(ctx context.Context, actor, customerID string) error {
	return l.write(ctx, actor, "customer.erased", customerID)
}

// CustomerExported records an export of personal data.
func (l *Log) CustomerExported(ctx context.Context, actor, customerID string) error {
	return l.write(ctx, actor, "customer.exported", customerID)
}

// AddressChanged records an address that was changed.
func (l *Log) AddressChanged(ctx context.Context, actor, customerID string) error {
	return l.write(ctx, actor, "address.changed", customerID)
}

// ConsentGiven records a consent.
func (l *Log) ConsentGiven(ctx context.Context, actor, customerID, purpose string) error {
	return l.write(ctx, actor, "consent.given", customerID, "purpose", purpose)
}

// ConsentWithdrawn records a withdrawn consent.
func (l *Log) ConsentWithdrawn(ctx context.Context, actor, customerID, purpose string) error {
	return l.write(ctx, actor, "consent.withdrawn", customerID, "purpose", purpose)
}

// Operations.

// ReportExported records an exported report.
func (l *Log) ReportExported(ctx context.Context, actor, report string, rows int) error {
	return l.write(ctx, actor, "report.exported", report, "rows", strconv.Itoa(rows))
}

// SettingChanged records a setting that was changed.
func (l *Log) SettingChanged(ctx context.Context, actor, setting, from, to string) error {
	return l.write(ctx, actor, "setting.changed", setting, "from", from, "to", to)
}

// JobStarted records a job that somebody started by hand.
func (l *Log) JobStarted(ctx context.Context, actor, job string) error {
	return l.write(ctx, actor, "job.started", job)
}
