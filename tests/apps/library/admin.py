from django.contrib import admin

from .models import Author, Book, Publisher


@admin.action(description="Mark as lent")
def lend(_, __, books):
    books.update(lent=True)


@admin.register(Book)
class BookAdmin(admin.ModelAdmin):
    list_display = ["title", "kind", "lent"]
    list_filter = ["kind"]
    search_fields = ["title"]
    filter_horizontal = ["authors"]
    fieldsets = [(None, {"fields": ["title", "kind", "authors", "publisher"]}),
                 ("Dates", {"fields": ["published", "lent"], "classes": ["collapse"]})]
    actions = [lend]


admin.site.register([Author, Publisher])
